-- How many events each contract has had, and its last one: kept as events come and go, so that no answer counts rows.
--
-- Whoever writes events must not wait here. A job that reads history and the follower of the head write of the same
-- contracts, each waits for the other's cursor, and a row that both count on would lock them for ever. So a statement
-- only adds rows to `event_tally_pending`, which collide with nobody; whoever gets the one lock without waiting folds
-- them into the tallies, and readers add what is still pending. Triggers, because events come in by insert and by
-- COPY, from the watcher and from the poller, and leave by rewinds.

create table event_tally_of_key (
  chain_id int not null,
  address bytea not null,
  event_key text collate "C" not null,
  total bigint not null,
  init bigint not null,
  primary key (chain_id, address, event_key)
);

-- Events that are no setup, of the last 31 days: history that is read in later needs no row here. Hours, because a
-- window of 30 days begins within one of them, and only the events of that hour are counted one by one.
create table event_tally_of_hour (
  chain_id int not null,
  address bytea not null,
  hour timestamptz not null,
  events int not null,
  critical int not null,
  primary key (chain_id, address, hour)
);
create index event_tally_of_hour_old on event_tally_of_hour (hour);

-- The newest event, setup or not; null where all were taken back.
create table event_last (
  chain_id int not null,
  address bytea not null,
  block_time timestamptz,
  event_id bigint,
  event_key text collate "C",
  primary key (chain_id, address)
);

-- Less than nothing where events were taken back. The hour is -infinity where it is too old to be told apart.
create table event_tally_pending (
  chain_id int not null,
  address bytea not null,
  event_key text collate "C" not null,
  hour timestamptz not null,
  total int not null,
  init int not null,
  critical int not null,
  last_time timestamptz not null,
  last_id bigint not null
);
create index event_tally_pending_of on event_tally_pending (chain_id, address);

create function tally_hour(block_time timestamptz) returns timestamptz language sql stable parallel safe as $$
  select case when block_time >= now() - interval '31 days' then date_trunc('hour', block_time, 'UTC') else '-infinity' end
$$;

create function fold_event_tallies() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7438031) then return; end if;
  -- A statement of its own sees all that the last holder of the lock has committed.
  with taken as (
    delete from event_tally_pending returning *
  ), keyed as (
    insert into event_tally_of_key as kept (chain_id, address, event_key, total, init)
    select chain_id, address, event_key, sum(total), sum(init) from taken group by chain_id, address, event_key
    on conflict (chain_id, address, event_key) do update
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

create function tally_events() returns trigger language plpgsql as $$
declare
  step constant int := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into event_tally_pending (chain_id, address, event_key, hour, total, init, critical, last_time, last_id)
  select chain_id, address, event_key, tally_hour(block_time), step * count(*), step * count(*) filter (where is_init),
    step * count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from changed group by chain_id, address, event_key, tally_hour(block_time);
  if found then perform fold_event_tallies(); end if;
  return null;
end $$;

create trigger tally_inserted after insert on control_event referencing new table as changed
  for each statement execute function tally_events();
create trigger tally_deleted after delete on control_event referencing old table as changed
  for each statement execute function tally_events();

-- All tallies anew, from the events that are stored: after a partition was dropped, which no trigger hears of. Writers
-- wait meanwhile, because each of them adds to what is pending.
create function recount_event_tallies() returns void language plpgsql as $$
begin
  lock table event_tally_pending in exclusive mode;
  perform pg_advisory_xact_lock(7438031);
  delete from event_tally_pending;
  delete from event_tally_of_key;
  delete from event_tally_of_hour;
  delete from event_last;
  insert into event_tally_pending (chain_id, address, event_key, hour, total, init, critical, last_time, last_id)
  select chain_id, address, event_key, tally_hour(block_time), count(*), count(*) filter (where is_init),
    count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from control_event group by chain_id, address, event_key, tally_hour(block_time);
  perform fold_event_tallies();
end $$;

select recount_event_tallies();
