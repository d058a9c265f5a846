-- Alerts at head: sent when a block is first seen, before it has the confirmations that events are published with.

-- Null: transactions with a critical event at head, others once their block is confirmed.
alter table subscription add column alert_at text check (alert_at in ('head', 'confirmed'));

-- The block that an unconfirmed event was seen in. Null for events that were first seen in a confirmed block.
alter table alert_event add column block_hash bytea;
-- Null while the block has fewer confirmations than the chain requires.
alter table alert_event add column confirmed_at timestamptz default now();
create index alert_event_unconfirmed on alert_event (chain_id) where confirmed_at is null and retracted_at is null;

create or replace function add_child_subscriptions() returns trigger language plpgsql as $$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, alert_at, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.channels, new.include_controllers,
      new.power_effects, new.alert_at, new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $$;

create or replace function update_child_subscriptions() returns trigger language plpgsql as $$
begin
  update subscription set min_severity = new.min_severity, channels = new.channels,
    include_controllers = new.include_controllers, power_effects = new.power_effects, alert_at = new.alert_at,
    paused_at = new.paused_at
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
      power_effects, alert_at, paused_at)
    select p.account_id, p.id, new.chain_id, new.address, p.min_severity, p.channels, p.include_controllers,
      p.power_effects, p.alert_at, p.paused_at
    from subscription p where p.protocol_id = new.protocol_id
    on conflict do nothing;
  return null;
end $$;
