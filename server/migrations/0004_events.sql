-- Control events and how many of them each contract has.

create table event_category (
  id smallint primary key,
  name text collate "C" not null unique
);
comment on table event_category is
  'A category of events. A new one is a new row; ids never change, because events and the feed index hold them.';
insert into event_category (id, name) values
  (0, 'upgrade'), (1, 'ownership'), (2, 'access'), (3, 'pause'), (4, 'multisig'), (5, 'timelock'), (6, 'governance'),
  (7, 'token_admin');

create table event_kind (
  id smallint generated always as identity primary key,
  key text collate "C" not null,
  category text collate "C" not null references event_category (name),
  unique (key, category)
);
comment on table event_kind is
  'A kind of event: its key in one category. A key that a later catalog moves to another category is a new kind.';

-- Adds the kinds that are missing. They are sorted, so that two calls cannot deadlock.
create function add_event_kinds(keys text[], categories text[]) returns void language sql as $$
  insert into event_kind (key, category)
  select distinct k.key, k.category from unnest(keys, categories) as k (key, category)
  where not exists (select from event_kind known where known.key = k.key and known.category = k.category)
  order by k.key, k.category
  on conflict do nothing
$$;

-- Publications: the order in which stored and retracted events became visible to readers.
--
-- Neither ids nor block times have that order. A sequence hands out ids before the commit, so a transaction with a lower id
-- can commit later, and a reader that remembers the highest id it saw would miss its events. So a position is assigned
-- at the commit, under a lock that is held until the transaction is visible to others (`set_publication_position`).
-- A reader that sees a position therefore sees every lower one that will ever exist, on the primary and on a replica, which
-- replays commits in the same order.
--
-- The position belongs to all events of one statement, because writing it to each event after it is stored would write
-- every event twice.
create sequence publication_id;
create sequence publication_position;
create table publication (
  id bigint primary key,
  -- Set at the commit.
  position bigint unique,
  -- Includes events that were retracted since.
  events int not null,
  -- The lowest and the highest block time: the partitions that hold the events.
  first_time timestamptz not null,
  last_time timestamptz not null
);
comment on table publication is 'The events that one statement stored or retracted, and their position in publication order.';

-- Partitioned by year: the feed is read from the newest event backwards, so that a page touches one partition, and old
-- years can be detached or moved to slower disks.
create sequence control_event_id;
create table control_event (
  id bigint not null default nextval('control_event_id'),
  block_number bigint not null,
  block_time timestamptz not null,
  chain_id int not null,
  log_index int not null,
  -- Without a foreign key, which a backfill would check row by row. Kinds are never deleted.
  kind_id smallint not null,
  -- The id of the kind's category.
  category_id smallint not null,
  severity smallint not null check (severity between 0 and 2), -- info, high, critical
  -- Category, setup and severity in one number: what the filters of the feed select by.
  feed_key smallint not null generated always as ((6 * category_id + 3 * is_init::int + severity)::smallint) stored,
  -- Part of the setup of a contract.
  is_init boolean not null,
  -- Found by the watcher when it happened, so that alerts were queued; a backfill does not announce.
  announced boolean not null,
  -- Found by a poll and not in a log: its transaction hash does not exist on the chain.
  is_derived boolean not null default false,
  tx_hash bytea not null,
  -- One for each statement that stores events, see `publication`.
  publication_id bigint not null default nextval('publication_id'),
  -- The contract that emitted it.
  address bytea not null,
  -- The contract it is about, if that is not the emitter.
  subject bytea,
  -- Not jsonb: no query selects by it, and the arguments keep their order.
  args json not null
) partition by range (block_time);
comment on table control_event is 'A decoded event of a contract, or a change of its state that a poll found.';
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

create index control_event_of_publication on control_event (publication_id, id);

create table retracted_event (
  retraction_id bigint not null,
  -- Orders the events of one retraction.
  entry_id bigint not null default nextval('control_event_id'),
  like control_event,
  primary key (retraction_id, entry_id)
);
comment on table retracted_event is
  'An event as it was when a rollback deleted it. `retraction_id` is the publication that reports the retraction.';

create function publish_stored_events() returns trigger language plpgsql as $$
begin
  insert into publication (id, events, first_time, last_time)
  select publication_id, count(*), min(block_time), max(block_time) from changed group by publication_id;
  return null;
end $$;
create trigger publish_stored_events after insert on control_event referencing new table as changed
  for each statement execute function publish_stored_events();

create function publish_retracted_events() returns trigger language plpgsql as $$
declare
  retraction constant bigint := nextval('publication_id');
begin
  insert into retracted_event select retraction, nextval('control_event_id'), e.* from changed e order by e.id;
  insert into publication (id, events, first_time, last_time)
  select retraction, count(*), min(block_time), max(block_time) from changed having count(*) > 0;
  return null;
end $$;
create trigger publish_retracted_events after delete on control_event referencing old table as changed
  for each statement execute function publish_retracted_events();

-- Runs at the commit, after the last statement of the transaction: the transaction waits for no other lock while it
-- holds this one, so that there is no deadlock, and a long backfill does not delay other transactions.
create function set_publication_position() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7438032);
  update publication set position = nextval('publication_position') where id = new.id;
  return null;
end $$;
create constraint trigger set_publication_position after insert on publication deferrable initially deferred
  for each row execute function set_publication_position();

-- One log, one row. Block number first: inserts append, and a rollback finds its rows at the end.
create unique index control_event_log on control_event (chain_id, block_number, log_index, block_time)
  where not is_derived;
create unique index control_event_derived on control_event (chain_id, tx_hash, log_index, block_time)
  where is_derived;

-- Bloom filters over ranges of pages. A btree of hashes would write to a random page for every event; these filters
-- cost a backfill next to nothing. A search reads all of them, a 150th of the table, and a thousandth of the table.
create index control_event_of_tx on control_event
  using brin (tx_hash bytea_bloom_ops (false_positive_rate = 0.001)) with (autosummarize = on);

-- Event counts, kept up to date by triggers, so that no page counts rows. Events arrive by insert and by COPY, from the
-- watcher and from the poller, and leave by rollbacks.
--
-- A transaction that stores events must not wait for another one here: a backfill and the follower store events of the
-- same contracts, each may wait for the other's cursor, and a shared count row would deadlock them. So a transaction
-- adds rows to `event_count_pending`; the one that gets the lock without waiting merges them into the counts, and
-- readers add what is still pending.

create table event_count (
  chain_id int not null,
  address bytea not null,
  kind_id smallint not null,
  total bigint not null,
  init bigint not null,
  primary key (chain_id, address, kind_id)
);
comment on table event_count is 'How many events of one kind a contract has, and how many of them are setup.';

create table event_count_hour (
  chain_id int not null,
  address bytea not null,
  hour timestamptz not null,
  events int not null,
  critical int not null,
  primary key (chain_id, address, hour)
);
comment on table event_count_hour is
  'How many events other than setup a contract had in one hour of the last 31 days. A window of 30 days starts within an hour, whose events are counted one by one.';
create index event_count_hour_old on event_count_hour (hour);

create table last_event (
  chain_id int not null,
  address bytea not null,
  block_time timestamptz,
  event_id bigint,
  kind_id smallint,
  primary key (chain_id, address)
);
comment on table last_event is 'The newest event of a contract, setup included; nulls if all were retracted.';

create table event_count_pending (
  chain_id int not null,
  address bytea not null,
  kind_id smallint not null,
  -- -infinity for hours that `event_count_hour` does not have.
  hour timestamptz not null,
  total int not null,
  init int not null,
  critical int not null,
  last_time timestamptz not null,
  last_id bigint not null
);
comment on table event_count_pending is 'A change of counts that is not merged yet; negative for retracted events.';
create index event_count_pending_of on event_count_pending (chain_id, address);

create function event_count_hour_of(block_time timestamptz) returns timestamptz language sql stable parallel safe as $$
  select case when block_time >= now() - interval '31 days' then date_trunc('hour', block_time, 'UTC') else '-infinity' end
$$;

-- Merges the pending changes and `fresh` ones. If another transaction merges, `fresh` becomes pending.
create function merge_event_counts(fresh event_count_pending[]) returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7438031) then
    insert into event_count_pending select * from unnest(fresh);
    return;
  end if;
  -- A statement of its own sees all that the last holder of the lock has committed.
  with pending as (
    delete from event_count_pending returning *
  ), change as (
    select * from pending union all select * from unnest(fresh)
  ), by_kind as (
    insert into event_count as known (chain_id, address, kind_id, total, init)
    select chain_id, address, kind_id, sum(total), sum(init) from change group by chain_id, address, kind_id
    on conflict (chain_id, address, kind_id) do update
      set total = known.total + excluded.total, init = known.init + excluded.init
  ), by_hour as (
    insert into event_count_hour as known (chain_id, address, hour, events, critical)
    select chain_id, address, hour, sum(total - init), sum(critical) from change
    where hour > '-infinity' group by chain_id, address, hour having sum(total - init) <> 0 or sum(critical) <> 0
    on conflict (chain_id, address, hour) do update
      set events = known.events + excluded.events, critical = known.critical + excluded.critical
  ), touched as (
    select distinct on (chain_id, address) chain_id, address, last_time, last_id, kind_id,
      bool_or(total < 0) over (partition by chain_id, address) as has_retracted
    from change order by chain_id, address, last_time desc, last_id desc
  )
  insert into last_event (chain_id, address, block_time, event_id, kind_id)
  select t.chain_id, t.address,
    case when t.has_retracted then remaining.block_time when known.is_newer then known.block_time else t.last_time end,
    case when t.has_retracted then remaining.id when known.is_newer then known.event_id else t.last_id end,
    case when t.has_retracted then remaining.kind_id when known.is_newer then known.kind_id else t.kind_id end
  from touched t
  left join lateral (
    select *, (k.block_time, k.event_id) > (t.last_time, t.last_id) as is_newer from last_event k
    where k.chain_id = t.chain_id and k.address = t.address) as known on true
  left join lateral (
    select block_time, id, kind_id from control_event e
    where e.chain_id = t.chain_id and e.address = t.address order by block_time desc, id desc limit 1
  ) as remaining on t.has_retracted
  on conflict (chain_id, address) do update
    set block_time = excluded.block_time, event_id = excluded.event_id, kind_id = excluded.kind_id;
  delete from event_count_hour where hour < now() - interval '32 days';
end $$;

create function count_changed_events() returns trigger language plpgsql as $$
declare
  step constant int := case tg_op when 'INSERT' then 1 else -1 end;
  fresh event_count_pending[];
begin
  select array_agg(row(chain_id, address, kind_id, hour, step * total, step * init, step * critical, last_time,
    newest[2])::event_count_pending) into fresh
  from (
    select chain_id, address, kind_id, event_count_hour_of(block_time) as hour, count(*) as total,
      count(*) filter (where is_init) as init, count(*) filter (where severity = 2 and not is_init) as critical,
      max(block_time) as last_time, max(array[date_part('epoch', block_time), id]) as newest
    from changed group by chain_id, address, kind_id, event_count_hour_of(block_time)) as counted;
  if fresh is not null then perform merge_event_counts(fresh); end if;
  return null;
end $$;
create trigger count_inserted_events after insert on control_event referencing new table as changed
  for each statement execute function count_changed_events();
create trigger count_deleted_events after delete on control_event referencing old table as changed
  for each statement execute function count_changed_events();

-- Counts all stored events again. Needed after a partition was dropped, which fires no trigger. Transactions that store
-- events wait until it ends, because each adds to what is pending.
create function recount_events() returns void language plpgsql as $$
begin
  lock table event_count_pending in exclusive mode;
  perform pg_advisory_xact_lock(7438031);
  delete from event_count_pending;
  delete from event_count;
  delete from event_count_hour;
  delete from last_event;
  insert into event_count_pending (chain_id, address, kind_id, hour, total, init, critical, last_time, last_id)
  select chain_id, address, kind_id, event_count_hour_of(block_time), count(*), count(*) filter (where is_init),
    count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from control_event group by chain_id, address, kind_id, event_count_hour_of(block_time);
  perform merge_event_counts('{}');
end $$;

-- Three queries of the protocol view over the events themselves, where the counts do not suffice. They are functions,
-- because PostgreSQL plans a statement over all partitions at each call, which takes longer than the query.

create function last_event_of(chain int, emitter bytea) returns table (block_time timestamptz, event_id bigint, kind_id smallint)
  language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return query
    select e.block_time, e.id, e.kind_id from control_event e where e.chain_id = chain and e.address = emitter
    order by e.block_time desc, e.id desc limit 1;
end $$;

-- Events other than setup, from `since` on and before `until`.
create function count_events_of(chain int, emitter bytea, since timestamptz, until timestamptz)
  returns table (events bigint, critical bigint) language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return query
    select count(*), count(*) filter (where e.severity = 2) from control_event e
    where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until;
end $$;

-- The time of the first event other than setup, from `since` on and before `until`.
create function first_event_time_of(chain int, emitter bytea, since timestamptz, until timestamptz) returns timestamptz
  language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return (select min(e.block_time) from control_event e
    where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until);
end $$;
