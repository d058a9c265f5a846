-- Distributes control events over the workers of Citus, by chain. Run once on the coordinator, after the service has
-- created the tables and while no process runs (docs/operations.md).
--
-- A distributed table has no triggers, and a query over it may join other tables only by its distribution column. So these
-- functions replace those of the migrations: writers count and publish what they write in the same transaction, and readers
-- send each worker a query over one chain. All other tables stay on the coordinator.

begin;

-- Citus commits in two phases if a transaction writes to two servers that it knows of, and it does not know of tables on the
-- coordinator alone. Without two phases a crash between the commits could keep an event without its publication. A row that
-- is written to this table, which Citus manages, and deleted again makes it use two phases.
create table event_commit (publication_id bigint primary key);

-- Writing ------------------------------------------------------------------------------------------------------------

-- Counts and publishes events as the triggers of 0004_events do. `retraction` is null for stored events.
create function record_changed_events(changed control_event[], retraction bigint) returns void language plpgsql as $$
declare
  step constant int := case when retraction is null then 1 else -1 end;
  marker constant bigint := nextval('publication_id');
begin
  if cardinality(changed) = 0 then return; end if;
  insert into event_commit values (marker);
  delete from event_commit where publication_id = marker;
  if retraction is not null then
    insert into retracted_event select retraction, nextval('control_event_id'), e.* from unnest(changed) as e order by e.id;
  end if;
  insert into publication (id, events, first_time, last_time)
  select coalesce(retraction, e.publication_id), count(*), min(e.block_time), max(e.block_time) from unnest(changed) as e group by 1;
  perform merge_event_counts(array(
    select row(chain_id, address, kind_id, hour, step * total, step * init, step * critical, last_time,
      newest[2])::event_count_pending
    from (
      select e.chain_id, e.address, e.kind_id, event_count_hour_of(e.block_time) as hour, count(*) as total,
        count(*) filter (where e.is_init) as init, count(*) filter (where e.severity = 2 and not e.is_init) as critical,
        max(e.block_time) as last_time, max(array[date_part('epoch', e.block_time), e.id]) as newest
      from unnest(changed) as e group by e.chain_id, e.address, e.kind_id, event_count_hour_of(e.block_time)) as counted));
end $$;

create function events_of_publication(chain int, publication bigint) returns setof control_event language plpgsql as $$
begin
  return query select e.* from control_event e where e.chain_id = chain and e.publication_id = publication;
end $$;

create or replace function record_copied_events(chain int, publication bigint) returns void language plpgsql as $$
begin
  perform record_changed_events(array(select e from events_of_publication(chain, publication) as e), null);
end $$;

create or replace function store_events(chain int, announce boolean, numbers bigint[], times bigint[], txs text[],
  log_indexes int[], emitters text[], subjects text[], kinds smallint[], categories smallint[], severities smallint[],
  inits boolean[], arguments text[], known_ids bigint[])
  returns table (id bigint, block_time timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  publication constant bigint := nextval('publication_id');
  stored control_event[];
begin
  insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
    subject, kind_id, category_id, severity, is_init, args, id)
  select publication, chain, announce or e.id is not null, e.number,
    timestamptz 'epoch' + e.time * interval '1 millisecond', decode(e.tx, 'hex'), e.log_index, decode(e.address, 'hex'),
    decode(e.subject, 'hex'), e.kind_id, e.category_id, e.severity, e.is_init, e.args::json,
    coalesce(e.id, nextval('control_event_id'))
  from unnest(numbers, times, txs, log_indexes, emitters, subjects, kinds, categories, severities, inits, arguments,
    known_ids) as e (number, time, tx, log_index, address, subject, kind_id, category_id, severity, is_init, args, id)
  on conflict do nothing;
  stored := array(select e from events_of_publication(chain, publication) as e);
  perform record_changed_events(stored, null);
  return query select e.id, e.block_time from unnest(stored) as e;
end $$;

create or replace function store_derived_event(chain int, number bigint, "time" bigint, tx bytea, log_index int, emitter bytea,
  kind smallint, category smallint, severity smallint, init boolean, arguments text)
  returns table (id bigint, block_time timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  publication constant bigint := nextval('publication_id');
  event constant bigint := nextval('control_event_id');
  stored control_event[];
begin
  insert into control_event (publication_id, id, chain_id, announced, is_derived, block_number, block_time, tx_hash, log_index,
    address, kind_id, category_id, severity, is_init, args)
  values (publication, event, chain, true, true, number, timestamptz 'epoch' + "time" * interval '1 millisecond', tx,
    store_derived_event.log_index, emitter, kind, category, store_derived_event.severity, init, arguments::json)
  on conflict do nothing;
  stored := array(select e from events_of_publication(chain, publication) as e);
  perform record_changed_events(stored, null);
  return query select e.id, e.block_time from unnest(stored) as e;
end $$;

create function delete_events_above(chain int, above bigint, since timestamptz) returns setof control_event
  language plpgsql as $$
begin
  return query
    delete from control_event e where e.chain_id = chain and e.block_number > above and e.block_time >= since returning e.*;
end $$;

create or replace function retract_events_above(chain int, above bigint, since timestamptz) returns setof bigint
  language plpgsql as $$
declare
  gone constant control_event[] := array(select e from delete_events_above(chain, above, since) as e);
begin
  perform record_changed_events(gone, nextval('publication_id'));
  return query select e.id from unnest(gone) as e where e.announced order by e.id;
end $$;

create function delete_derived_events(chain int, emitter bytea, above bigint) returns setof control_event
  language plpgsql as $$
begin
  return query
    delete from control_event e
    where e.chain_id = chain and e.address = emitter and e.is_derived and e.block_number > above returning e.*;
end $$;

create or replace function retract_derived_events(chain int, emitter bytea, above bigint) returns setof bigint
  language plpgsql as $$
declare
  gone constant control_event[] := array(select e from delete_derived_events(chain, emitter, above) as e);
begin
  perform record_changed_events(gone, nextval('publication_id'));
  return query select e.id from unnest(gone) as e where e.announced order by e.id;
end $$;

create function delete_events(chain int, emitter bytea, ids bigint[], times timestamptz[]) returns setof control_event
  language plpgsql as $$
begin
  return query
    delete from control_event e
    where e.chain_id = chain and e.address = emitter and e.id = any(ids) and e.block_time = any(times) returning e.*;
end $$;

create or replace function rename_events(chain int, emitter bytea, ids bigint[], times timestamptz[], kinds smallint[],
  categories smallint[], arguments text[]) returns void language plpgsql as $$
declare
  gone constant control_event[] := array(select e from delete_events(chain, emitter, ids, times) as e);
  publication bigint;
begin
  perform record_changed_events(gone, nextval('publication_id'));
  publication := nextval('publication_id');
  insert into control_event (publication_id, id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
    subject, kind_id, category_id, severity, is_init, args)
  select publication, g.id, chain, g.announced, g.block_number, g.block_time, g.tx_hash, g.log_index, g.address, g.subject,
    r.kind_id, r.category_id, g.severity, g.is_init, r.args::json
  from unnest(gone) as g join unnest(ids, kinds, categories, arguments) as r (id, kind_id, category_id, args) on r.id = g.id;
  perform record_copied_events(chain, publication);
end $$;

create or replace function recount_events() returns void language plpgsql as $$
begin
  lock table event_count_pending in exclusive mode;
  perform pg_advisory_xact_lock(7438031);
  delete from event_count_pending;
  delete from event_count;
  delete from event_count_hour;
  delete from last_event;
  -- The hour as `event_count_hour_of` computes it, which the workers do not have.
  insert into event_count_pending (chain_id, address, kind_id, hour, total, init, critical, last_time, last_id)
  select chain_id, address, kind_id, hour, count(*), count(*) filter (where is_init),
    count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from (
    select *, case when block_time >= now() - interval '31 days' then date_trunc('hour', block_time, 'UTC')
      else '-infinity' end as hour
    from control_event) as e
  group by chain_id, address, kind_id, hour;
  perform merge_event_counts('{}');
end $$;

-- Reading ------------------------------------------------------------------------------------------------------------
--
-- A query that names one chain runs whole on one worker, laterals included. A page over several chains is the newest part
-- of the pages of the chains that have events.

create or replace function feed_upper_bound(before timestamptz) returns timestamptz language plpgsql stable as $$
declare
  next_year constant timestamptz := date_trunc('year', now(), 'UTC') + interval '1 year';
begin
  if before <= next_year then return before; end if;
  perform from control_event where block_time >= next_year limit 1;
  return case when found then before else next_year end;
end $$;

-- As in 0004_events, without an expression over a query, which Citus cannot plan.
create or replace function first_event_time_of(chain int, emitter bytea, since timestamptz, until timestamptz)
  returns timestamptz language plpgsql stable as $$
declare
  first timestamptz;
begin
  select min(e.block_time) into first from control_event e
  where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until;
  return first;
end $$;

create function chains_with_events(chains int[]) returns setof int language sql stable as $$
  select chain from unnest(chains) as chain
  where exists (select from event_count t where t.chain_id = chain)
    or exists (select from event_count_pending p where p.chain_id = chain)
$$;

create function feed_page_of_chain(before_time timestamptz, before_id bigint, feed_keys smallint[], chain int, few int,
  most int) returns setof control_event language plpgsql stable as $$
begin
  return query
    with newest as materialized (
      select f.feed_key, e.block_time, e.id from unnest(feed_keys) as f (feed_key) cross join lateral (
        select e.block_time, e.id from control_event e
        where e.chain_id = chain and e.feed_key = f.feed_key
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as oldest
    ), scan as (
      select distinct n.feed_key from newest n where n.block_time >= (select b.oldest from bound b)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.chain_id = chain and e.feed_key = scan.feed_key
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select b.oldest from bound b)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- As in 0005_feed, the newest events of all kinds come first. They are read from the year of the position: a worker plans
-- a query over one partition several times faster than over all.
create or replace function feed_page(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[], few int,
  most int) returns setof control_event language plpgsql stable as $$
declare
  read_first constant int := 4 * most;
  end_time timestamptz := date_trunc('year', least(before_time, now()), 'UTC');
  end_id bigint := 0;
  first record;
  found_first int;
begin
  select e.block_time, e.id into first from control_event e
  where e.block_time >= end_time and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
  order by e.block_time desc, e.id desc offset read_first - 1 limit 1;
  if found then
    end_time := first.block_time;
    end_id := first.id;
  end if;
  return query
    select e.* from control_event e
    where e.block_time >= end_time and (e.block_time, e.id) >= (end_time, end_id)
      and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
      and e.feed_key = any(feed_keys) and e.chain_id = any(chains)
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if found_first = most then return; end if;
  return query
    select e.* from chains_with_events(chains) as chain
    cross join lateral feed_page_of_chain(end_time, end_id, feed_keys, chain, few, most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

create function feed_page_of_kinds(before_time timestamptz, before_id bigint, since timestamptz, feed_keys smallint[],
  kinds smallint[], chain int, few int, most int) returns setof control_event language plpgsql stable as $$
begin
  return query
    with newest as materialized (
      select s.kind_id, s.feed_key, e.block_time, e.id from unnest(kinds, feed_keys) as s (kind_id, feed_key)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.chain_id = chain and e.kind_id = s.kind_id and e.feed_key = s.feed_key and e.block_time >= since
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as oldest
    ), scan as (
      select distinct n.kind_id, n.feed_key from newest n where n.block_time >= (select b.oldest from bound b)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.chain_id = chain and e.kind_id = scan.kind_id and e.feed_key = scan.feed_key and e.block_time >= since
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select b.oldest from bound b)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

create or replace function feed_page_of_key(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[],
  few int, most int, event_key text) returns setof control_event language plpgsql stable as $$
declare
  year constant timestamptz := date_trunc('year', least(before_time, now()), 'UTC');
  kinds smallint[];
  keys smallint[];
  found_first int;
begin
  select array_agg(k.id), array_agg(f.feed_key) into kinds, keys
  from event_kind k join event_category g on g.name = k.category
  join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id where k.key = event_key;
  if kinds is null then return; end if;
  return query
    select e.* from chains_with_events(chains) as chain
    cross join lateral feed_page_of_kinds(before_time, before_id, year, keys, kinds, chain, few, most) as e
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if found_first = most then return; end if;
  return query
    select e.* from chains_with_events(chains) as chain
    cross join lateral feed_page_of_kinds(year, 0, '-infinity', keys, kinds, chain, few, most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

create function feed_page_of_emitter(before_time timestamptz, before_id bigint, feed_keys smallint[], kinds smallint[],
  chain int, emitter bytea, few int, most int) returns setof control_event language plpgsql stable as $$
begin
  return query
    with newest as materialized (
      select s.kind_id, s.feed_key, e.block_time, e.id from unnest(kinds, feed_keys) as s (kind_id, feed_key)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.chain_id = chain and e.address = emitter and e.kind_id = s.kind_id and e.feed_key = s.feed_key
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, (-e.id) limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), scan as (
      select distinct n.kind_id, n.feed_key from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.chain_id = chain and e.address = emitter and e.kind_id = scan.kind_id and e.feed_key = scan.feed_key
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, (-e.id) limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- The event counts list the chains on which an address has events, and their kinds.
create or replace function feed_page_of_address(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[],
  few int, most int, event_key text, emitter bytea) returns setof control_event language sql stable as $$
  with counted as (
    select t.chain_id, t.kind_id from event_count t where t.address = emitter and t.chain_id = any(chains)
    union
    select p.chain_id, p.kind_id from event_count_pending p where p.address = emitter and p.chain_id = any(chains)
  ), scans as (
    select c.chain_id, array_agg(f.feed_key) as feed_keys, array_agg(k.id) as kinds
    from counted c join event_kind k on k.id = c.kind_id join event_category g on g.name = k.category
    join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id
    where event_key is null or k.key = event_key group by c.chain_id
  )
  select e.* from scans
  cross join lateral feed_page_of_emitter(before_time, before_id, scans.feed_keys, scans.kinds, scans.chain_id, emitter, few,
    most) as e
  order by e.block_time desc, e.id desc limit most
$$;

-- The newest events of contracts of one chain before a position, none older than `since`.
create function events_of_contracts(chain int, addresses bytea[], before_time timestamptz, before_id bigint,
  since timestamptz, most int) returns setof control_event language plpgsql stable as $$
begin
  return query
    with newest as materialized (
      select c.address, e.block_time, e.id from unnest(addresses) as c (address) cross join lateral (
        select e.block_time, e.id from control_event e
        where e.chain_id = chain and e.address = c.address and e.block_time >= since
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit 4) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        events_of_contracts.since) as since
    ), scan as (
      select distinct n.address from newest n where n.block_time >= (select b.since from bound b)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.chain_id = chain and e.address = scan.address and e.block_time >= (select b.since from bound b)
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

create or replace function newest_events_of(chains int[], addresses bytea[], since timestamptz, most int)
  returns setof control_event language sql stable as $$
  with scans as (
    select c.chain_id, array_agg(distinct c.address) as addresses from unnest(chains, addresses) as c (chain_id, address) group by 1
  )
  select e.* from scans cross join lateral events_of_contracts(chain_id, scans.addresses, 'infinity', 0, since, most) as e
  order by e.block_time desc, e.id desc limit most
$$;

create or replace function protocol_events(protocol bigint, before_time timestamptz, before_id bigint, most int)
  returns setof control_event language sql stable as $$
  with scans as (
    select c.chain_id, array_agg(c.address) as addresses from contract c where c.protocol_id = protocol group by 1
  )
  select e.* from scans
  cross join lateral events_of_contracts(chain_id, scans.addresses, before_time, before_id, '-infinity', most) as e
  order by e.block_time desc, e.id desc limit most
$$;

-- The stored events of publications, in the order of `ids`, after an event of the first one.
create function stored_entries(ids bigint[], after_entry bigint, first_time timestamptz, last_time timestamptz, most int)
  returns setof control_event language plpgsql stable as $$
begin
  return query
    select e.* from control_event e
    where e.publication_id = any(ids) and e.block_time between first_time and last_time
      and (e.publication_id <> ids[1] or e.id > after_entry)
    order by array_position(ids, e.publication_id), e.id limit most;
end $$;

create or replace function feed_after(first_position bigint, after_entry bigint, feed_keys smallint[], chains int[],
  event_key text, emitter bytea, most int, read_most int)
  returns table (is_end boolean, "position" bigint, entry_id bigint, is_retracted boolean, id bigint, block_number bigint,
    block_time timestamptz, chain_id int, log_index int, kind_id smallint, severity smallint, is_init boolean,
    tx_hash bytea, address bytea, args json)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  kinds constant smallint[] := array(select k.id from event_kind k where k.key = event_key);
begin
  return query
    with following as materialized (
      select p.id, p.position, p.first_time, p.last_time, sum(p.events) over (order by p.position) - p.events as before
      from (select * from publication p where p.position >= first_position order by p.position limit read_most) as p
    ), publications as materialized (
      select f.* from following f where f.before < read_most
    ), stored as materialized (
      select e.* from (
        select array_agg(p.id order by p.position) as ids, min(p.first_time) as first_time, max(p.last_time) as last_time,
          min(p.position) as first
        from publications p) as range
      cross join lateral stored_entries(range.ids, case when range.first = first_position then after_entry else 0 end,
        range.first_time, range.last_time, read_most) as e
      where range.ids is not null
    ), entries as materialized (
      select p.position, e.* from publications p join (
        select e.publication_id, e.id as entry_id, false as is_retracted, e.id, e.block_number, e.block_time, e.chain_id,
          e.log_index, e.kind_id, e.severity, e.is_init, e.tx_hash, e.address, e.args, e.feed_key from stored e
        union all
        select r.retraction_id, r.entry_id, true, r.id, r.block_number, r.block_time, r.chain_id,
          r.log_index, r.kind_id, r.severity, r.is_init, r.tx_hash, r.address, r.args, r.feed_key
        from publications p join retracted_event r on r.retraction_id = p.id
          and r.entry_id > case when p.position = first_position then after_entry else 0 end) as e on e.publication_id = p.id
      order by p.position, e.entry_id limit read_most
    ), matching as (
      select * from entries e
      where e.feed_key = any(feed_keys) and e.chain_id = any(chains) and (event_key is null or e.kind_id = any(kinds))
        and (emitter is null or e.address = emitter)
      order by e.position, e.entry_id limit most
    )
    select false, m.position, m.entry_id, m.is_retracted, m.id, m.block_number, m.block_time, m.chain_id, m.log_index,
      m.kind_id, m.severity, m.is_init, m.tx_hash, m.address, m.args
    from matching m
    union all
    (select true, p.position, last.entry_id, null::boolean, null::bigint, null::bigint, null::timestamptz, null::int,
       null::int, null::smallint, null::smallint, null::boolean, null::bytea, null::bytea, null::json
     from publications p
     left join lateral (
       select e.position, e.entry_id from entries e order by e.position desc, e.entry_id desc limit 1
     ) as last on last.position = p.position and (select count(*) from entries) = read_most
     order by last.position is null, p.position desc limit 1);
end $$;

-- Last, because Citus would create functions over a distributed table on the workers too.
drop trigger publish_stored_events on control_event;
drop trigger publish_retracted_events on control_event;
drop trigger count_inserted_events on control_event;
drop trigger count_deleted_events on control_event;

select create_distributed_table('control_event', 'chain_id', shard_count => 8);
select citus_add_local_table_to_metadata('event_commit');

commit;
