-- Pages of the feed: events that match a filter, newest first.
--
-- An index that leaves a filter to be checked row by row reads millions of rows for a page of rare events. So each index
-- starts with all columns that its queries filter by, and a query for several values merges several index scans: one for
-- each feed key and chain.
--
-- A page first reads the newest events of all kinds in order of time: without a filter, or with one that selects common
-- events, the page is then complete. Otherwise each scan returns the times of its newest few events. If those fill a
-- page, no older event belongs to it. That bounds the last step, which reads the rows, and only from scans that have some
-- on the page. Without the bound a hundred scans would read a page each.
--
-- These are functions, because a function can set how it is planned: once, for all values. For known values the planner
-- assumes that an address, its chain and its kinds are independent, expects a row or two where there are thousands, and
-- would sort them all for each page; and planning over all partitions costs more than the scans.

-- Read backwards: rows that arrive in order fill the pages of an ascending index densely.
create index control_event_by_time on control_event (block_time, id);
create index control_event_feed on control_event (feed_key, chain_id, block_time, id);
create index control_event_of_kind on control_event (kind_id, feed_key, chain_id, block_time, id);
create index control_event_of_address on control_event (address, chain_id, block_time, id);
-- Ordered by (-id), which no other index has, so that the planner must use this one for queries with that order. For the
-- busiest contract it chose the one above and read 300,000 events to find fifty.
create index control_event_of_address_kind on control_event (address, chain_id, kind_id, feed_key, block_time desc, (-id));

-- Returns the end of this year instead of a later `before`, so that scans skip the partitions of later years, which are
-- empty unless the clock of a chain runs ahead.
create function feed_upper_bound(before timestamptz) returns timestamptz language plpgsql stable as $$
declare
  next_year constant timestamptz := date_trunc('year', now(), 'UTC') + interval '1 year';
begin
  if before <= next_year or exists (select from control_event where block_time >= next_year) then return before; end if;
  return next_year;
end $$;

-- `few` is the number of events whose times each scan returns first, `most` the size of the page.
create function feed_page(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[], few int, most int)
  returns setof control_event language plpgsql stable
  set plan_cache_mode to force_generic_plan as $$
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
      and e.feed_key = any(feed_keys) and e.chain_id = any(chains)
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with newest as materialized (
      select f.feed_key, c.chain_id, e.block_time, e.id
      from unnest(feed_keys) as f (feed_key) cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.feed_key = f.feed_key and e.chain_id = c.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), scan as (
      select distinct n.feed_key, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

create function feed_page_of_key(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[], few int,
  most int, event_key text) returns setof control_event language plpgsql stable
  set plan_cache_mode to force_generic_plan as $$
begin
  return query
    with newest as materialized (
      select k.id as kind_id, f.feed_key, c.chain_id, e.block_time, e.id
      from event_kind k join event_category g on g.name = k.category
      join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.kind_id = k.id and e.feed_key = f.feed_key and e.chain_id = c.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as e
      where k.key = event_key
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), scan as (
      select distinct n.kind_id, n.feed_key, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.kind_id = scan.kind_id and e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- `event_key` null selects all kinds. Most addresses have few events, so the first step nearly always completes the page.
-- The event counts list the kinds that an address has.
create function feed_page_of_address(before_time timestamptz, before_id bigint, feed_keys smallint[], chains int[], few int,
  most int, event_key text, emitter bytea) returns setof control_event language plpgsql stable
  set plan_cache_mode to force_generic_plan as $$
declare
  read_first constant int := 8 * most;
  kinds constant smallint[] := array(select k.id from event_kind k where k.key = event_key);
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
        and e.feed_key = any(feed_keys) and (event_key is null or e.kind_id = any(kinds))
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with counted as (
      select t.chain_id, t.kind_id from event_count t where t.address = emitter and t.chain_id = any(chains)
      union
      select p.chain_id, p.kind_id from event_count_pending p where p.address = emitter and p.chain_id = any(chains)
    ), newest as materialized (
      select f.feed_key, counted.chain_id, counted.kind_id, e.block_time, e.id from counted
      join event_kind k on k.id = counted.kind_id join event_category g on g.name = k.category
      join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = emitter and e.kind_id = counted.kind_id and e.feed_key = f.feed_key and e.chain_id = counted.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, (-e.id) limit few) as e
      where event_key is null or k.key = event_key
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), scan as (
      select distinct n.feed_key, n.chain_id, n.kind_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.kind_id = scan.kind_id and e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, (-e.id) limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $$;

-- The newest events of some contracts, setup included, none older than `since`: one scan for each contract.
create function newest_events_of(chains int[], addresses bytea[], since timestamptz, most int)
  returns setof control_event language plpgsql stable
  set plan_cache_mode to force_generic_plan as $$
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
    ), scan as (
      select distinct n.chain_id, n.address from newest n where n.block_time >= (select b.since from bound b)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = scan.address and e.chain_id = scan.chain_id and e.block_time >= (select b.since from bound b)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- The next events in publication order, after the entry `after_entry` of the publication at `first_position`.
--
-- Reads at most `read_most` events, whether or not they match, so that a filter that matches nothing costs no more than
-- one that matches everything. The last row (`is_end`) has the position up to which events were read, for the next call;
-- its `entry_id` is null if the whole publication was read. No row: there is nothing after the given position.
create function feed_after(first_position bigint, after_entry bigint, feed_keys smallint[], chains int[], event_key text,
  emitter bytea, most int, read_most int)
  returns table (is_end boolean, "position" bigint, entry_id bigint, is_retracted boolean, id bigint, block_number bigint,
    block_time timestamptz, chain_id int, log_index int, kind_id smallint, severity smallint, is_init boolean,
    tx_hash bytea, address bytea, args json)
  language plpgsql stable
  set plan_cache_mode to force_generic_plan as $$
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
    ), entries as materialized (
      select p.position, e.* from publications p cross join lateral (
        (select e.id as entry_id, false as is_retracted, e.id, e.block_number, e.block_time, e.chain_id, e.log_index,
           e.kind_id, e.severity, e.is_init, e.tx_hash, e.address, e.args, e.feed_key
         from control_event e
         where e.publication_id = p.id and e.block_time between p.first_time and p.last_time
           and e.id > case when p.position = first_position then after_entry else 0 end
         order by e.id limit read_most)
        union all
        (select r.entry_id, true, r.id, r.block_number, r.block_time, r.chain_id, r.log_index,
           r.kind_id, r.severity, r.is_init, r.tx_hash, r.address, r.args, r.feed_key
         from retracted_event r
         where r.retraction_id = p.id
           and r.entry_id > case when p.position = first_position then after_entry else 0 end
         order by r.entry_id limit read_most)) as e
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
