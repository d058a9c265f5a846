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
  tx_hash bytea not null,
  log_index int not null,
  address bytea not null,
  -- The contract it is about, where that is not the emitter.
  subject bytea,
  -- Compared by bytes: the rules of a language cost several times as much, in every index.
  event_key text collate "C" not null,
  category text collate "C" not null,
  severity smallint not null check (severity between 0 and 2), -- info, high, critical
  is_init boolean not null,
  -- Whether the outbox has told of it: history is not news.
  announced boolean not null,
  -- Found by looking at state, not read from a log: its transaction does not exist on the chain.
  is_derived boolean not null default false,
  -- As text: nobody asks into it, and the arguments keep their order.
  args json not null
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

-- One log, one row. Block number first: inserts append, and a rewind finds its rows at the end.
create unique index control_event_log on control_event (chain_id, block_number, log_index, block_time)
  where not is_derived;
create unique index control_event_derived on control_event (chain_id, tx_hash, log_index, block_time)
  where is_derived;

-- The feed, newest first: read backwards, because rows that arrive in order fill ascending pages densely. Few indexes,
-- because each costs a sixth of a backfill; a filter without an index of its own merges a few prefixes of one: all
-- chains are six prefixes of the first, with setup twelve; a category is its keys.
create index control_event_feed on control_event (chain_id, is_init, block_time, id);
create index control_event_of_address on control_event (address, block_time, id);
create index control_event_of_subject on control_event (subject, block_time, id) where subject is not null;
create index control_event_of_key on control_event (event_key, block_time, id);

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
