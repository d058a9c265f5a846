-- Rules of subscriptions: only events of some categories or keys, and queued changes whatever their severity.

alter table subscription
  -- An event matches if its category or its key is listed. Both empty: every event matches.
  add column categories text[] not null default '{}',
  add column event_keys text[] not null default '{}',
  -- Changes that are queued, executed or canceled are sent whatever their severity, category and key.
  add column queued_changes boolean not null default false;

create or replace function add_child_subscriptions() returns trigger language plpgsql as $$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, categories, event_keys, queued_changes, alert_at, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.channels, new.include_controllers,
      new.power_effects, new.categories, new.event_keys, new.queued_changes, new.alert_at, new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $$;

create or replace function update_child_subscriptions() returns trigger language plpgsql as $$
begin
  update subscription set min_severity = new.min_severity, channels = new.channels,
    include_controllers = new.include_controllers, power_effects = new.power_effects, categories = new.categories,
    event_keys = new.event_keys, queued_changes = new.queued_changes, alert_at = new.alert_at, paused_at = new.paused_at
  where parent_id = new.id;
  return null;
end $$;

create or replace function move_child_subscriptions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from subscription child using subscription parent
    where child.parent_id = parent.id and parent.protocol_id = old.protocol_id
      and child.chain_id = old.chain_id and child.address = old.address;
  end if;
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, categories, event_keys, queued_changes, alert_at, paused_at)
    select p.account_id, p.id, new.chain_id, new.address, p.min_severity, p.channels, p.include_controllers,
      p.power_effects, p.categories, p.event_keys, p.queued_changes, p.alert_at, p.paused_at
    from subscription p where p.protocol_id = new.protocol_id
    on conflict do nothing;
  return null;
end $$;
