-- Alerts: who wants to hear of which contract, where, and what was sent.
--
-- A message is what one receiver gets about one transaction; it is the unit of work and carries its state. A delivery
-- is the record of one subscription, one event and one channel; it points to the message that tells of it. All of it
-- is written in the transaction that stores the event.

-- Where an account is reached: one of each kind. Only a confirmed one that is not switched off gets anything.
create table alert_channel (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  kind text not null check (kind in ('telegram', 'email', 'webhook')),
  -- The chat's id, the address, the URL.
  target text not null,
  -- How a chat calls itself.
  title text,
  -- Names this channel in links of mails that work without a session.
  token text not null unique,
  confirmed_at timestamptz not null default now(),
  -- Switched off by the receiver's own answer, in its words.
  disabled_at timestamptz,
  disabled_reason text,
  unique (account_id, kind)
);

-- A chat or an address that still has to prove itself, by a code that is kept as its hash.
create table channel_claim (
  account_id text not null references user_account (id) on delete cascade,
  kind text not null check (kind in ('telegram', 'email')),
  code_hash bytea not null unique,
  target text,
  expires_at timestamptz not null,
  primary key (account_id, kind)
);

-- Signs the webhooks of an account; outlives its URL, so that a receiver that moves keeps its secret.
create table webhook_secret (
  account_id text primary key references user_account (id) on delete cascade,
  secret text not null,
  previous text,
  previous_until timestamptz
);

-- On one contract, or on a protocol. A protocol's has a row below it for each of its contracts, which the triggers
-- keep: those rows are what events are matched with, and they say what their parent says.
create table subscription (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  parent_id bigint references subscription on delete cascade,
  protocol_id bigint references protocol on delete cascade,
  chain_id int,
  address bytea check (octet_length(address) = 20),
  min_severity smallint not null check (min_severity between 0 and 2),
  telegram boolean not null,
  email boolean not null,
  webhook boolean not null,
  with_controllers boolean not null,
  created_at timestamptz not null default now(),
  paused_at timestamptz,
  check ((protocol_id is null) = (address is not null) and (address is null) = (chain_id is null)),
  check (parent_id is null or protocol_id is null)
);
create index subscription_of_account on subscription (account_id, id);
create index subscription_of_contract on subscription (chain_id, address) where address is not null;
create unique index subscription_manual on subscription (account_id, chain_id, address)
  where address is not null and parent_id is null;
create unique index subscription_protocol on subscription (account_id, protocol_id) where protocol_id is not null;
create unique index subscription_child on subscription (parent_id, chain_id, address) where parent_id is not null;
create index subscription_by_protocol on subscription (protocol_id) where protocol_id is not null;

create function follow_protocol() returns trigger language plpgsql as $$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, telegram, email, webhook,
      with_controllers, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.telegram, new.email, new.webhook,
      new.with_controllers, new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $$;
create trigger follow_protocol after insert on subscription
  for each row when (new.protocol_id is not null) execute function follow_protocol();

create function follow_parent() returns trigger language plpgsql as $$
begin
  update subscription set min_severity = new.min_severity, telegram = new.telegram, email = new.email,
    webhook = new.webhook, with_controllers = new.with_controllers, paused_at = new.paused_at
  where parent_id = new.id;
  return null;
end $$;
create trigger follow_parent after update on subscription
  for each row when (new.protocol_id is not null) execute function follow_parent();

-- A contract that joins a protocol is covered from then on, one that leaves it no longer.
create function follow_contract() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from subscription child using subscription parent
    where child.parent_id = parent.id and parent.protocol_id = old.protocol_id
      and child.chain_id = old.chain_id and child.address = old.address;
  end if;
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, telegram, email, webhook,
      with_controllers, paused_at)
    select p.account_id, p.id, new.chain_id, new.address, p.min_severity, p.telegram, p.email, p.webhook,
      p.with_controllers, p.paused_at
    from subscription p where p.protocol_id = new.protocol_id
    on conflict do nothing;
  return null;
end $$;
create trigger follow_new_contract after insert on contract
  for each row when (new.protocol_id is not null) execute function follow_contract();
create trigger follow_moved_contract after update of protocol_id on contract
  for each row when (new.protocol_id is distinct from old.protocol_id) execute function follow_contract();

-- Who controls what, as the last look at each contract found it.
create table contract_controller (
  chain_id int not null,
  address bytea not null,
  controller_chain_id int not null,
  controller bytea not null,
  -- Its code comes from there (a beacon): what happens to that happens to the contract itself.
  is_logic boolean not null,
  primary key (chain_id, address, controller_chain_id, controller)
);
create index contract_controller_by on contract_controller (controller_chain_id, controller);

-- Calls that wait in a timelock or before a vote, by the contracts they are about: an execution or a cancellation
-- names only the operation.
create table queued_call (
  chain_id int not null,
  address bytea not null,
  operation text collate "C" not null,
  about bytea not null,
  -- Of the announcement: whoever was warned also hears how it ends.
  severity smallint not null,
  block_number bigint not null,
  log_index int not null,
  primary key (chain_id, address, operation, about, block_number, log_index)
);
create index queued_call_by_block on queued_call (chain_id, block_number);

-- Events that somebody was told of, as they were: a block that leaves the chain takes its own rows along.
create table alert_event (
  id bigint primary key,
  chain_id int not null,
  block_number bigint not null,
  block_time timestamptz not null,
  tx_hash bytea not null,
  log_index int not null,
  address bytea not null,
  event_key text not null,
  category text not null,
  severity smallint not null,
  is_init boolean not null,
  is_derived boolean not null,
  args json not null,
  -- The operation it opens or closes, see queued_call.
  operation text,
  retracted_at timestamptz
);
create index alert_event_by_block on alert_event (chain_id, block_number);

create table alert_message (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  channel_id bigint not null,
  channel text not null,
  -- What it takes back; null for one that tells something.
  retracts bigint references alert_message on delete cascade,
  events bigint[] not null,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'sent', 'failed', 'cancelled')),
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When it is tried next; while someone is at it, when another may take over. Null when it is settled.
  next_at timestamptz,
  give_up_at timestamptz not null,
  -- Who is at it: the number of the try. Null between tries.
  claim int
);
create index alert_message_due on alert_message (next_at, id) where next_at is not null;
create index alert_message_of_channel on alert_message (channel_id) where next_at is not null;
create index alert_message_retracts on alert_message (retracts) where retracts is not null;

create table delivery (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  -- Kept when the subscription is gone: history stays.
  subscription_id bigint not null,
  event_id bigint not null references alert_event (id),
  channel text not null,
  message_id bigint not null references alert_message on delete cascade,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  cancelled_because text,
  unique (subscription_id, event_id, channel)
);
create index delivery_of_account on delivery (account_id, id);
create index delivery_of_message on delivery (message_id);
create index delivery_of_event on delivery (event_id);

-- Takes back what is not sent yet; a message that has nothing left to tell goes with it, unless someone is sending it
-- this very moment: what became of that is settled by whoever sends.
create function cancel_deliveries(ids bigint[], because text) returns void language sql as $$
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

create function subscription_deleted() returns trigger language plpgsql as $$
begin
  perform cancel_deliveries(array(select id from delivery where subscription_id = old.id),
    'the subscription was deleted');
  return null;
end $$;
create trigger subscription_deleted after delete on subscription
  for each row when (old.address is not null) execute function subscription_deleted();

create function channel_deleted() returns trigger language plpgsql as $$
begin
  perform cancel_deliveries(array(
      select d.id from delivery d join alert_message m on m.id = d.message_id
      where m.channel_id = old.id and m.next_at is not null), 'the channel was removed');
  update alert_message set status = 'cancelled', next_at = null, last_error = 'the channel was removed'
    where channel_id = old.id and next_at is not null and claim is null;
  return null;
end $$;
create trigger channel_deleted after delete on alert_channel for each row execute function channel_deleted();
