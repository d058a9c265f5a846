-- Events of one subscription in an hour are limited, and a subscription knows what of it was watched.

alter table coin_subscription add column watched_to int[];
comment on column coin_subscription.watched_to is
  'The first index of each branch of a wallet that is not watched yet. Null before the subscription was matched.';

-- What the follower of the chain notes is no change of the account.
create or replace trigger note_subscription_change
  after insert or delete or update of events, confirmations, channels on coin_subscription
  for each row execute function note_subscription_change();

create table coin_event_hour (
  subscription_id bigint primary key references coin_subscription on delete cascade,
  hour timestamptz not null,
  reported int not null,
  -- Events beyond the limit.
  more int not null
);
comment on table coin_event_hour is 'How many events a subscription has in the current hour.';
create index coin_event_hour_by_time on coin_event_hour (hour);

alter table coin_activity add column muted text[] not null default '{}';
comment on column coin_activity.muted is 'Events that hold and were not reported, because the subscription had too many.';

alter table coin_event
  alter column txid drop not null,
  add column count int,
  add column hour timestamptz,
  drop constraint coin_event_kind_check,
  add constraint coin_event_kind_check check (kind in ('seen', 'confirmed', 'replaced', 'spent', 'more')),
  add constraint coin_event_more_check check (
    (kind = 'more') = (txid is null) and (kind = 'more') = (count is not null) and (kind = 'more') = (hour is not null)
  );
comment on column coin_event.count is 'Of more: the events of the hour beyond the limit.';
