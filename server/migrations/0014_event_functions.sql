-- Statements over control events as functions. On a distributed PostgreSQL, which has neither the triggers nor all queries
-- of a single server, others replace them: server/distributed/events.sql.

-- Stores the events that are not stored yet and returns them. One that was alerted at head keeps its id (`known_ids`), and
-- is announced.
create function store_events(chain int, announce boolean, numbers bigint[], times bigint[], txs text[], log_indexes int[],
  emitters text[], subjects text[], kinds smallint[], categories smallint[], severities smallint[], inits boolean[],
  arguments text[], known_ids bigint[])
  returns table (id bigint, block_time timestamptz) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
      subject, kind_id, category_id, severity, is_init, args, id)
    select (select nextval('publication_id')), chain, announce or e.id is not null, e.number,
      timestamptz 'epoch' + e.time * interval '1 millisecond', decode(e.tx, 'hex'), e.log_index, decode(e.address, 'hex'),
      decode(e.subject, 'hex'), e.kind_id, e.category_id, e.severity, e.is_init, e.args::json,
      coalesce(e.id, nextval('control_event_id'))
    from unnest(numbers, times, txs, log_indexes, emitters, subjects, kinds, categories, severities, inits, arguments,
      known_ids) as e (number, time, tx, log_index, address, subject, kind_id, category_id, severity, is_init, args, id)
    on conflict do nothing
    returning id, block_time;
end $$;

-- Stores an event that a poll derived, unless it is stored.
create function store_derived_event(chain int, number bigint, "time" bigint, tx bytea, log_index int, emitter bytea,
  kind smallint, category smallint, severity smallint, init boolean, arguments text)
  returns table (id bigint, block_time timestamptz) language plpgsql as $$
#variable_conflict use_column
begin
  return query
    insert into control_event (chain_id, announced, is_derived, block_number, block_time, tx_hash, log_index, address,
      kind_id, category_id, severity, is_init, args)
    values (chain, true, true, number, timestamptz 'epoch' + "time" * interval '1 millisecond', tx,
      store_derived_event.log_index, emitter, kind, category, store_derived_event.severity, init, arguments::json)
    on conflict do nothing returning id, block_time;
end $$;

-- Called after events were stored with COPY. Triggers have counted and published them.
create function record_copied_events(chain int, publication bigint) returns void language sql as '';

-- Deletes the events above a block, and returns the ids of those that were announced. `since` is the time of that block.
create function retract_events_above(chain int, above bigint, since timestamptz) returns setof bigint language plpgsql
  set plan_cache_mode to force_generic_plan as $$
begin
  return query
    with retracted as (
      delete from control_event where chain_id = chain and block_number > above and block_time >= since
      returning id, announced)
    select r.id from retracted r where r.announced order by r.id;
end $$;

-- Deletes the events that polls of a contract derived above a block, and returns their ids.
create function retract_derived_events(chain int, emitter bytea, above bigint) returns setof bigint language plpgsql
  set plan_cache_mode to force_generic_plan as $$
begin
  return query
    with retracted as (
      delete from control_event where chain_id = chain and address = emitter and is_derived and block_number > above
      returning id, announced)
    select r.id from retracted r where r.announced order by r.id;
end $$;

-- Deletes events of a contract and stores them again with the same ids and other names.
create function rename_events(chain int, emitter bytea, ids bigint[], times timestamptz[], kinds smallint[],
  categories smallint[], arguments text[]) returns void language plpgsql as $$
begin
  with renamed as (
    select * from unnest(ids, times, kinds, categories, arguments) as r (id, block_time, kind_id, category_id, args)
  ), gone as (
    delete from control_event e using renamed r
    where e.chain_id = chain and e.address = emitter and e.id = r.id and e.block_time = r.block_time returning e.*
  )
  insert into control_event (publication_id, id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
    subject, kind_id, category_id, severity, is_init, args)
  select (select nextval('publication_id')), g.id, g.chain_id, g.announced, g.block_number, g.block_time, g.tx_hash,
    g.log_index, g.address, g.subject, r.kind_id, r.category_id, g.severity, g.is_init, r.args::json
  from gone g join renamed r on r.id = g.id order by g.id;
end $$;

-- The events with these ids, which are between two times.
create function events_by_id(chain int, ids bigint[], first_time timestamptz, last_time timestamptz)
  returns setof control_event language plpgsql stable rows 10 set plan_cache_mode to force_generic_plan as $$
begin
  return query
    select e.* from control_event e
    where e.chain_id = chain and e.id = any(ids) and e.block_time between first_time and last_time;
end $$;

-- The arguments of the last log of some kinds that a contract emitted before another one.
create function args_before(chain int, emitter bytea, kinds smallint[], before_time timestamptz, before_number bigint,
  before_index int) returns json language plpgsql stable set plan_cache_mode to force_generic_plan as $$
declare
  found_args json;
begin
  select e.args into found_args from control_event e
  where e.address = emitter and e.chain_id = chain and e.kind_id = any(kinds) and e.block_time <= before_time
    and (e.block_number, e.log_index) < (before_number, before_index) and not e.is_derived
  order by e.block_time desc, e.id desc limit 1;
  return found_args;
end $$;

-- Events of a protocol's contracts before a position, newest first, setup included. As in `newest_events_of`, the newest
-- few of each contract bound what is read.
create function protocol_events(protocol bigint, before_time timestamptz, before_id bigint, most int)
  returns setof control_event language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return query
    with newest as materialized (
      select c.chain_id, c.address, e.block_time, e.id from contract c cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = c.address and e.chain_id = c.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit 4) as e
      where c.protocol_id = protocol
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), scan as (
      select distinct n.chain_id, n.address from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = scan.address and e.chain_id = scan.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $$;

-- As in 0004_events, but the last event that remains is read by the function for it.
create or replace function merge_event_counts(fresh event_count_pending[]) returns void language plpgsql as $$
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
    case when t.has_retracted then remaining.event_id when known.is_newer then known.event_id else t.last_id end,
    case when t.has_retracted then remaining.kind_id when known.is_newer then known.kind_id else t.kind_id end
  from touched t
  left join lateral (
    select *, (k.block_time, k.event_id) > (t.last_time, t.last_id) as is_newer from last_event k
    where k.chain_id = t.chain_id and k.address = t.address) as known on true
  -- `offset 0` keeps the condition in front of the call.
  left join lateral (
    select * from last_event_of(t.chain_id, t.address) where t.has_retracted offset 0) as remaining on true
  on conflict (chain_id, address) do update
    set block_time = excluded.block_time, event_id = excluded.event_id, kind_id = excluded.kind_id;
  delete from event_count_hour where hour < now() - interval '32 days';
end $$;
