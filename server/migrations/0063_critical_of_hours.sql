-- A critical event that is undone and another that takes its place in the same hour leave as many events as before, and
-- not as many critical ones: folded together they were taken for no change.
create or replace function fold_event_tallies(fresh event_tally_pending[]) returns void language plpgsql as $$
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
    where hour > '-infinity' group by chain_id, address, hour having sum(total - init) <> 0 or sum(critical) <> 0
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

select recount_event_tallies();
