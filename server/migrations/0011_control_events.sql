-- Control events, and the outbox that tells what was published and what was taken back.
--
-- Partitioned by time, because the feed is read from the newest backwards (a page touches one partition, a cursor
-- prunes the rest) and old years can be detached or moved to slower disks as a whole.

create sequence control_event_id;

create table control_event (
  id bigint not null default nextval('control_event_id'),
  chain_id int not null,
  block_number bigint not null,
  block_time timestamptz not null,
  block_hash bytea not null,
  tx_hash bytea not null,
  log_index int not null,
  address bytea not null,
  -- The contract it is about, where that is not the emitter.
  subject bytea,
  event_key text not null,
  category text not null,
  severity smallint not null check (severity between 0 and 2), -- info, high, critical
  is_init boolean not null,
  -- Whether the outbox has told of it: history is not news.
  announced boolean not null,
  args jsonb not null,
  primary key (block_time, id)
) partition by range (block_time);
alter sequence control_event_id owned by control_event.id;

create table control_event_early partition of control_event for values from (minvalue) to ('2020-01-01Z');
do $$
begin
  for year in 2020 .. 2034 loop
    execute format('create table control_event_%s partition of control_event for values from (%L) to (%L)',
      year, year || '-01-01Z', year + 1 || '-01-01Z');
  end loop;
end $$;
create table control_event_late partition of control_event for values from ('2035-01-01Z') to (maxvalue);

-- One log, one row. Block number first: inserts append, and a rewind finds its rows at the end. The transaction keeps
-- derived events (they have no log) apart from the logs of the same block.
create unique index control_event_log on control_event (chain_id, block_number, log_index, tx_hash, block_time);

-- The feed: newest first, by itself and under each filter. `is_init` and `severity` narrow inside an index where they
-- would otherwise leave long stretches of rows to skip.
create index control_event_feed on control_event (block_time desc, id desc) where not is_init;
create index control_event_of_address on control_event (address, block_time desc, id desc);
create index control_event_of_subject on control_event (subject, block_time desc, id desc) where subject is not null;
create index control_event_of_key on control_event (event_key, chain_id, block_time desc, id desc);
create index control_event_of_category on control_event (category, severity, chain_id, block_time desc, id desc)
  where not is_init;

-- Written with the rows it tells of, in one transaction; whoever delivers takes rows out of it.
create table event_outbox (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('published', 'retracted')),
  chain_id int not null,
  event_id bigint not null,
  event_time timestamptz not null,
  -- The event as it was, for a retraction: its row is gone.
  event jsonb,
  created_at timestamptz not null default now()
);
