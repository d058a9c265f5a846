-- A page takes few walks, or none.
--
-- An unfiltered feed was a hundred walks and more, of which most had nothing on the page, and each was walked twice. But
-- who asks for much finds it among the newest events, whatever they are: a few hundred of these are read first, in the
-- order of time. Only what they do not yield is walked for, from where they end; and rows are fetched from the walks
-- alone that have some on the page, and from the years that it spans.

create index control_event_by_time on control_event (block_time, id);

create or replace function walk_feed(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int,
  most int) returns setof control_event language plpgsql stable
  set enable_sort to off set enable_bitmapscan to off set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
declare
  read_first constant int := 4 * most;
  end_time timestamptz;
  end_id bigint;
  found_first int;
begin
  select e.block_time, e.id into end_time, end_id from control_event e
  where e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
  order by e.block_time desc, e.id desc offset read_first - 1 limit 1;

  return query
    select e.* from control_event e
    where e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
      and e.block_time >= coalesce(end_time, '-infinity')
      and (e.block_time, e.id) >= (coalesce(end_time, '-infinity'), coalesce(end_id, 0))
      and e.walk = any(walks) and e.chain_id = any(chains)
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with newest as materialized (
      select asked.walk, c.chain_id, e.block_time, e.id from unnest(walks) as asked (walk) cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.walk = asked.walk and e.chain_id = c.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), w as (
      select distinct n.walk, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.walk = w.walk and e.chain_id = w.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

create or replace function walk_feed_of_key(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int,
  most int, key text) returns setof control_event language plpgsql stable
  set enable_sort to off set enable_bitmapscan to off set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
declare
  number constant int := ('x' || left(md5(key), 8))::bit(32)::int;
begin
  return query
    with newest as materialized (
      select asked.walk, c.chain_id, e.block_time, e.id from unnest(walks) as asked (walk) cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.key_number = number and e.event_key = key and e.walk = asked.walk and e.chain_id = c.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), w as (
      select distinct n.walk, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.key_number = number and e.event_key = key and e.walk = w.walk and e.chain_id = w.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- Most addresses have few events: here the first read is nearly always the last.
create or replace function walk_feed_of_address(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int,
  most int, key text, emitter bytea) returns setof control_event language plpgsql stable
  set enable_sort to off set enable_incremental_sort to off set enable_bitmapscan to off set enable_seqscan to off
  set plan_cache_mode to force_generic_plan as $$
declare
  read_first constant int := 8 * most;
  end_time timestamptz;
  end_id bigint;
  found_first int;
begin
  select e.block_time, e.id into end_time, end_id from unnest(chains) as c (chain_id) cross join lateral (
    select e.block_time, e.id from control_event e
    where e.address = emitter and e.chain_id = c.chain_id
      and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
    order by e.block_time desc, e.id desc limit read_first) as e
  order by e.block_time desc, e.id desc offset read_first - 1 limit 1;

  return query
    select e.* from unnest(chains) as c (chain_id) cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.chain_id = c.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= coalesce(end_time, '-infinity')
        and (e.block_time, e.id) >= (coalesce(end_time, '-infinity'), coalesce(end_id, 0))
        and e.walk = any(walks) and (key is null or e.event_key = key)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with had as (
      select t.chain_id, t.event_key, t.category from event_tally_of_key t where t.address = emitter and t.chain_id = any(chains)
      union
      select p.chain_id, p.event_key, p.category from event_tally_pending p where p.address = emitter and p.chain_id = any(chains)
    ), newest as materialized (
      select asked.walk, had.chain_id, had.event_key, numbered.number, e.block_time, e.id from had
      join unnest(walks) as asked (walk) on asked.walk / 6 = array_position(array['upgrade', 'ownership', 'access', 'pause',
        'multisig', 'timelock', 'governance', 'token_admin']::text[], had.category::text) - 1
      cross join lateral (select ('x' || left(md5(had.event_key), 8))::bit(32)::int as number) as numbered
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = emitter and e.key_number = numbered.number and e.event_key = had.event_key
          and e.walk = asked.walk and e.chain_id = had.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, (-e.id) limit few) as e
      where key is null or had.event_key = key
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), w as (
      select distinct n.walk, n.chain_id, n.event_key, n.number from newest n where n.block_time >= (select since from bound)
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.key_number = w.number and e.event_key = w.event_key and e.walk = w.walk
        and e.chain_id = w.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, (-e.id) limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

-- The newest events of some contracts, setup included, none older than `since`: as above, each contract a walk.
create or replace function newest_events_of(chains int[], addresses bytea[], since timestamptz, most int)
returns setof control_event language plpgsql stable
  set enable_sort to off set enable_bitmapscan to off set enable_seqscan to off set plan_cache_mode to force_generic_plan as $$
begin
  return query
    with newest as materialized (
      select c.chain_id, c.address, e.block_time, e.id from unnest(chains, addresses) as c (chain_id, address)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = c.address and e.chain_id = c.chain_id and e.block_time >= since
        order by e.block_time desc, e.id desc limit 4) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        since) as since
    ), w as (
      select distinct n.chain_id, n.address from newest n where n.block_time >= (select b.since from bound b)
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.address = w.address and e.chain_id = w.chain_id and e.block_time >= (select b.since from bound b)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;
