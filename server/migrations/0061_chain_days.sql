-- How long each chain was up to date, by day, for the history on the status page.

create table chain_day (
  chain text not null,
  -- In UTC.
  day date not null,
  -- Minutes in which a process recorded the state of the chain, and those of them in which it was up to date.
  recorded_minutes smallint not null,
  up_to_date_minutes smallint not null check (up_to_date_minutes <= recorded_minutes),
  -- The last minute that is counted, so that several processes count each minute once.
  last_minute timestamptz not null,
  primary key (chain, day)
);
comment on table chain_day is 'For how many minutes of a day a chain was recorded, and was up to date. Kept for 90 days.';
