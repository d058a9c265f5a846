-- Looking again at once: whose state a profile was made from, and which contracts an event asks to look at.
--
-- A row of `profile_due` is written with the event, in its transaction, and goes with the look that has seen it: a crash
-- between the two loses nothing. Without an event it is a look that a rewind or a new controller asks for.

create table profile_source (
  source_chain_id int not null,
  source bytea not null,
  chain_id int not null,
  address bytea not null,
  primary key (source_chain_id, source, chain_id, address)
);
create index profile_source_of on profile_source (chain_id, address);

create table profile_due (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null,
  event_chain_id int,
  block_number bigint,
  tx_hash bytea,
  log_index int,
  event_key text,
  not_before timestamptz not null default now(),
  unique (chain_id, address, event_chain_id, tx_hash, log_index)
);
create index profile_due_next on profile_due (chain_id, not_before);

-- The block a look was made at, by its hash too: a look at a block that was undone is undone.
alter table control_snapshot add column seen_hash bytea;
alter table control_profile_change add column block_hash bytea;
