-- Deliveries of a restored copy: their ids never name another message, and they wait until the operator resumes them.

alter table alert_message
  -- The id that recipients see. Random, because a restored copy would count from the same number again.
  add column uid uuid not null default gen_random_uuid();

create table delivery_hold (
  only_row boolean primary key default true check (only_row),
  reason text not null,
  since timestamptz not null default now()
);
comment on table delivery_hold is 'While it has a row, no alert and no callback is sent.';
