-- A message is locked before its deliveries, as by whoever settles what was sent and by a block that leaves the chain:
-- the other way round, two of them would wait for each other.
create or replace function cancel_deliveries(ids bigint[], because text) returns void language sql as $$
  select m.id from alert_message m
  where m.id in (select d.message_id from delivery d where d.id = any(ids)) and m.status in ('pending', 'retrying')
  order by m.id for update;

  with cancelled as (
    update delivery d set cancelled_at = now(), cancelled_because = because
    from alert_message m
    where d.id = any(ids) and m.id = d.message_id and m.status in ('pending', 'retrying') and d.cancelled_at is null
    returning d.id, d.message_id)
  update alert_message m set status = 'cancelled', next_at = null
  where m.id in (select message_id from cancelled) and m.claim is null and m.status in ('pending', 'retrying')
    and not exists (select from delivery d where d.message_id = m.id and d.cancelled_at is null
      and d.id not in (select id from cancelled));
$$;
