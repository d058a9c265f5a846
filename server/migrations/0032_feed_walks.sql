-- Every filter of the feed walks an index from its newest entry backwards, and meets no entry that it does not want.
--
-- An index that leaves a filter to be checked row by row is fast until somebody asks for what is rare among what is
-- common, and then reads millions of rows for a page. So each index begins with all that the filters of its walk can
-- say, and a filter that says less is several walks, merged (`store/feed.ts`).

-- Small numbers stand for them there: comparing words costs several times as much, in every index and at every insert.

drop index control_event_feed;
drop index control_event_of_key;
drop index control_event_of_address;

-- Category, setup and severity in one: a walk. The categories are those of the interface, and their order is that of
-- `CATEGORIES`; one that is not among them is refused, because no walk would find it.
alter table control_event
  add column walk smallint not null generated always as ((6 * (array_position(array['upgrade', 'ownership', 'access',
    'pause', 'multisig', 'timelock', 'governance', 'token_admin']::text[], category::text) - 1)
    + 3 * is_init::int + severity)::smallint) stored,
  -- Not `hashtext`, whose value may change with a version of PostgreSQL. Keys that share a number are told apart by name.
  add column key_number int not null generated always as (('x' || left(md5(event_key), 8))::bit(32)::int) stored;

create index control_event_feed on control_event (walk, chain_id, block_time, id);
create index control_event_of_key on control_event (key_number, walk, chain_id, block_time, id);
create index control_event_of_address on control_event (address, chain_id, block_time, id);
create index control_event_of_address_key on control_event (address, chain_id, key_number, walk, block_time, id);

-- Which events an address has had is what its walks begin with; a tally knows. With its category, which a later catalog
-- may have moved.
alter table event_tally_of_key add column category text collate "C" not null default '';
alter table event_tally_of_key alter column category drop default;
alter table event_tally_of_key drop constraint event_tally_of_key_pkey;
alter table event_tally_of_key add primary key (chain_id, address, event_key, category);
alter table event_tally_pending add column category text collate "C" not null default '';
alter table event_tally_pending alter column category drop default;

-- What is fresh need not be pending first where nobody else folds: of scattered events each would be written twice.
drop function fold_event_tallies;
create function fold_event_tallies(fresh event_tally_pending[]) returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7438031) then
    insert into event_tally_pending select * from unnest(fresh);
    return;
  end if;
  -- A statement of its own sees all that the last holder of the lock has committed.
  with pending as (
    delete from event_tally_pending returning *
  ), taken as (
    select * from pending union all select * from unnest(fresh)
  ), keyed as (
    insert into event_tally_of_key as kept (chain_id, address, event_key, category, total, init)
    select chain_id, address, event_key, category, sum(total), sum(init) from taken
    group by chain_id, address, event_key, category
    on conflict (chain_id, address, event_key, category) do update
      set total = kept.total + excluded.total, init = kept.init + excluded.init
  ), hourly as (
    insert into event_tally_of_hour as kept (chain_id, address, hour, events, critical)
    select chain_id, address, hour, sum(total - init), sum(critical) from taken
    where hour > '-infinity' group by chain_id, address, hour having sum(total - init) <> 0
    on conflict (chain_id, address, hour) do update
      set events = kept.events + excluded.events, critical = kept.critical + excluded.critical
  ), touched as (
    select distinct on (chain_id, address) chain_id, address, last_time, last_id, event_key,
      bool_or(total < 0) over (partition by chain_id, address) as has_shrunk
    from taken order by chain_id, address, last_time desc, last_id desc
  )
  insert into event_last (chain_id, address, block_time, event_id, event_key)
  select t.chain_id, t.address,
    case when t.has_shrunk then left_over.block_time when kept.is_newer then kept.block_time else t.last_time end,
    case when t.has_shrunk then left_over.id when kept.is_newer then kept.event_id else t.last_id end,
    case when t.has_shrunk then left_over.event_key when kept.is_newer then kept.event_key else t.event_key end
  from touched t
  left join lateral (
    select *, (k.block_time, k.event_id) > (t.last_time, t.last_id) as is_newer from event_last k
    where k.chain_id = t.chain_id and k.address = t.address) as kept on true
  left join lateral (
    select block_time, id, event_key from control_event e
    where e.chain_id = t.chain_id and e.address = t.address order by block_time desc, id desc limit 1
  ) as left_over on t.has_shrunk
  on conflict (chain_id, address) do update
    set block_time = excluded.block_time, event_id = excluded.event_id, event_key = excluded.event_key;
  delete from event_tally_of_hour where hour < now() - interval '32 days';
end $$;

create or replace function tally_events() returns trigger language plpgsql as $$
declare
  step constant int := case tg_op when 'INSERT' then 1 else -1 end;
  fresh event_tally_pending[];
begin
  select array_agg(row(chain_id, address, event_key, hour, step * total, step * init, step * critical, last_time,
    newest[2], category)::event_tally_pending) into fresh
  from (
    select chain_id, address, event_key, category, tally_hour(block_time) as hour, count(*) as total,
      count(*) filter (where is_init) as init, count(*) filter (where severity = 2 and not is_init) as critical,
      max(block_time) as last_time, max(array[date_part('epoch', block_time), id]) as newest
    from changed group by chain_id, address, event_key, category, tally_hour(block_time)) as counted;
  if fresh is not null then perform fold_event_tallies(fresh); end if;
  return null;
end $$;

create or replace function recount_event_tallies() returns void language plpgsql as $$
begin
  lock table event_tally_pending in exclusive mode;
  perform pg_advisory_xact_lock(7438031);
  delete from event_tally_pending;
  delete from event_tally_of_key;
  delete from event_tally_of_hour;
  delete from event_last;
  insert into event_tally_pending (chain_id, address, event_key, category, hour, total, init, critical, last_time, last_id)
  select chain_id, address, event_key, category, tally_hour(block_time), count(*), count(*) filter (where is_init),
    count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from control_event group by chain_id, address, event_key, category, tally_hour(block_time);
  perform fold_event_tallies('{}');
end $$;

select recount_event_tallies();

-- Walks of an index, newest first, merged into a page.
--
-- Each chain and each walk that a filter admits is walked on its own, so that none meets an event that is not wanted.
-- First every one tells when its newest few were. Where that makes a page, nothing older than the page's last belongs to
-- it: this bounds the second step, which takes the rows. Without, a hundred walks would each fetch a whole page.
--
-- Functions, because they can say how they are planned. The planner takes an address and its chain and its keys for
-- independent, expects a row or two where there are thousands, and would fetch and sort them all for each page; and
-- planning over all partitions anew costs more than the walks themselves.

create function walk_feed(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int, most int)
returns setof control_event language plpgsql stable
  set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with w as materialized (
      select walk, chain_id from unnest(walks) as walk cross join unnest(chains) as chain_id
    ), bound as materialized (
      select newest.block_time as since from w cross join lateral (
        select e.block_time, e.id from control_event e
        where e.walk = w.walk and e.chain_id = w.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as newest
      order by newest.block_time desc, newest.id desc offset most - 1 limit 1
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.walk = w.walk and e.chain_id = w.chain_id
        and (e.block_time, e.id) < (before_time, before_id) and e.block_time >= coalesce((select since from bound), '-infinity')
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

create function walk_feed_of_key(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int, most int,
  key text)
returns setof control_event language plpgsql stable
  set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  number constant int := ('x' || left(md5(key), 8))::bit(32)::int;
begin
  return query
    with w as materialized (
      select walk, chain_id from unnest(walks) as walk cross join unnest(chains) as chain_id
    ), bound as materialized (
      select newest.block_time as since from w cross join lateral (
        select e.block_time, e.id from control_event e
        where e.key_number = number and e.event_key = key and e.walk = w.walk and e.chain_id = w.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as newest
      order by newest.block_time desc, newest.id desc offset most - 1 limit 1
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.key_number = number and e.event_key = key and e.walk = w.walk and e.chain_id = w.chain_id
        and (e.block_time, e.id) < (before_time, before_id) and e.block_time >= coalesce((select since from bound), '-infinity')
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- Which events an address has had is told by its tallies.
create function walk_feed_of_address(before_time timestamptz, before_id bigint, walks smallint[], chains int[], few int, most int,
  key text, emitter bytea)
returns setof control_event language plpgsql stable
  set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    with w as materialized (
      select walk, had.chain_id, had.event_key, ('x' || left(md5(had.event_key), 8))::bit(32)::int as number from (
        select t.chain_id, t.event_key, t.category from event_tally_of_key t where t.address = emitter and t.chain_id = any(chains)
        union
        select p.chain_id, p.event_key, p.category from event_tally_pending p where p.address = emitter and p.chain_id = any(chains)
      ) as had
      join unnest(walks) as walk on walk / 6 = array_position(array['upgrade', 'ownership', 'access', 'pause', 'multisig',
        'timelock', 'governance', 'token_admin']::text[], had.category::text) - 1
      where key is null or had.event_key = key
    ), bound as materialized (
      select newest.block_time as since from w cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = emitter and e.key_number = w.number and e.event_key = w.event_key and e.walk = w.walk and e.chain_id = w.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as newest
      order by newest.block_time desc, newest.id desc offset most - 1 limit 1
    )
    select e.* from w cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.key_number = w.number and e.event_key = w.event_key and e.walk = w.walk and e.chain_id = w.chain_id
        and (e.block_time, e.id) < (before_time, before_id) and e.block_time >= coalesce((select since from bound), '-infinity')
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- The newest events of some contracts, setup included, none older than `since`.
create function newest_events_of(chains int[], addresses bytea[], since timestamptz, most int)
returns setof control_event language plpgsql stable
  set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query
    select e.* from unnest(chains, addresses) as c (chain_id, address) cross join lateral (
      select e.* from control_event e where e.address = c.address and e.chain_id = c.chain_id and e.block_time >= since
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;
