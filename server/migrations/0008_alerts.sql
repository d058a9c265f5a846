-- Alerts: subscriptions, channels, and the messages to them.
--
-- A message is what one channel receives about one transaction, or about all that it collects until a time; it is the
-- unit of work and has a status. A delivery
-- records one subscription, one event and one channel, and refers to the message that reports it. All of them are
-- stored in the transaction that stores the event.

create table alert_channel (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  kind text not null check (kind in
    ('telegram', 'email', 'webhook', 'slack', 'discord', 'teams', 'pagerduty', 'opsgenie', 'custom')),
  target text not null,
  -- The name of the chat.
  title text,
  -- Identifies this channel in links of e-mails that work without a session.
  token text not null unique,
  confirmed_at timestamptz not null default now(),
  -- Disabled by a response of the recipient, whose text is the reason.
  disabled_at timestamptz,
  disabled_reason text,
  webhook_host text,
  -- The schedule. A severity is the highest one that waits; more severe messages are sent at once.
  digest_minutes int check (digest_minutes between 5 and 1440),
  digest_severity smallint check (digest_severity between 0 and 2),
  quiet_from time,
  quiet_to time,
  quiet_zone text,
  quiet_severity smallint check (quiet_severity between 0 and 2),
  check ((digest_minutes is null) = (digest_severity is null)),
  check (num_nulls(quiet_from, quiet_to, quiet_zone, quiet_severity) in (0, 4) and quiet_from <> quiet_to),
  unique (account_id, kind)
);
comment on table alert_channel is
  'Where an account receives alerts: one channel of each kind. Only a confirmed channel that is not disabled receives any.';

-- Sealed columns are encrypted with a key outside the database (platform/vault.ts).
comment on column alert_channel.target is
  'The recipient, sealed: a chat id, an e-mail address, a URL, or a JSON object with the URL and its credentials.';
comment on column alert_channel.webhook_host is
  'A digest of the host of a webhook: webhooks at one host share a limit of concurrent requests.';

-- The time until which a message of this severity collects events; null if it is sent at once. A message is closed 30
-- seconds before it is due, so that a process whose clock is ahead does not send it while events are still added.
create function collects_until(channel alert_channel, severity smallint, at timestamptz) returns timestamptz
language plpgsql stable as $$
declare
  closes_at timestamptz := at + interval '30 seconds';
  due timestamptz;
  wall timestamp;
begin
  if severity <= channel.digest_severity then
    due := to_timestamp((floor(extract(epoch from closes_at) / (60 * channel.digest_minutes)) + 1) * 60 * channel.digest_minutes);
  end if;
  if severity <= channel.quiet_severity then
    wall := coalesce(due, at) at time zone channel.quiet_zone;
    if channel.quiet_from < channel.quiet_to and wall::time >= channel.quiet_from and wall::time < channel.quiet_to
      or channel.quiet_from > channel.quiet_to and wall::time < channel.quiet_to then
      due := (wall::date + channel.quiet_to) at time zone channel.quiet_zone;
    elsif channel.quiet_from > channel.quiet_to and wall::time >= channel.quiet_from then
      due := (wall::date + 1 + channel.quiet_to) at time zone channel.quiet_zone;
    end if;
  end if;
  return case when due <= closes_at then due + interval '1 minute' else due end;
end $$;

create table channel_confirmation (
  account_id text not null references user_account (id) on delete cascade,
  kind text not null check (kind in ('telegram', 'email')),
  code_hash bytea not null unique,
  target text,
  expires_at timestamptz not null,
  primary key (account_id, kind)
);
comment on table channel_confirmation is
  'A chat or e-mail address that an account still has to confirm, with a code of which the hash is stored.';

create table webhook_secret (
  account_id text primary key references user_account (id) on delete cascade,
  secret text not null,
  previous text,
  previous_until timestamptz
);
comment on table webhook_secret is
  'The secret that signs the webhooks of an account. It stays when the URL changes.';

create table subscription (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  parent_id bigint references subscription on delete cascade,
  protocol_id bigint references protocol on delete cascade,
  chain_id int,
  address bytea check (octet_length(address) = 20),
  min_severity smallint not null check (min_severity between 0 and 2),
  include_controllers boolean not null,
  created_at timestamptz not null default now(),
  paused_at timestamptz,
  -- By kind.
  channels text[] not null,
  -- Changes of these powers are sent whatever their severity.
  power_effects text[] not null default '{}',
  -- Null: transactions with a critical event at head, others once their block is confirmed.
  alert_at text check (alert_at in ('head', 'confirmed')),
  -- An event matches if its category or its key is listed. Both empty: every event matches.
  categories text[] not null default '{}',
  event_keys text[] not null default '{}',
  -- Changes that are queued, executed or canceled are sent whatever their severity, category and key.
  queued_changes boolean not null default false,
  check ((protocol_id is null) = (address is not null) and (address is null) = (chain_id is null)),
  check (parent_id is null or protocol_id is null)
);
comment on table subscription is
  'A subscription of an account to a contract or to a protocol. One to a protocol has a child row for each contract of it, with the same settings; events are matched with the rows that have an address.';
create index subscription_of_account on subscription (account_id, id);
create index subscription_of_contract on subscription (chain_id, address) where address is not null;
create unique index subscription_manual on subscription (account_id, chain_id, address)
  where address is not null and parent_id is null;
create unique index subscription_protocol on subscription (account_id, protocol_id) where protocol_id is not null;
create unique index subscription_child on subscription (parent_id, chain_id, address) where parent_id is not null;
create index subscription_by_protocol on subscription (protocol_id) where protocol_id is not null;

-- Three triggers keep the child rows of subscriptions to protocols.

create function add_child_subscriptions() returns trigger language plpgsql as $$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, categories, event_keys, queued_changes, alert_at, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.channels, new.include_controllers,
      new.power_effects, new.categories, new.event_keys, new.queued_changes, new.alert_at, new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $$;
create trigger add_child_subscriptions after insert on subscription
  for each row when (new.protocol_id is not null) execute function add_child_subscriptions();

create function update_child_subscriptions() returns trigger language plpgsql as $$
begin
  update subscription set min_severity = new.min_severity, channels = new.channels,
    include_controllers = new.include_controllers, power_effects = new.power_effects, categories = new.categories,
    event_keys = new.event_keys, queued_changes = new.queued_changes, alert_at = new.alert_at, paused_at = new.paused_at
  where parent_id = new.id;
  return null;
end $$;
create trigger update_child_subscriptions after update on subscription
  for each row when (new.protocol_id is not null) execute function update_child_subscriptions();

-- A contract that joins a protocol gets child rows; one that leaves it loses them.
create function move_child_subscriptions() returns trigger language plpgsql as $$
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
create trigger add_child_subscriptions_of_contract after insert on contract
  for each row when (new.protocol_id is not null) execute function move_child_subscriptions();
create trigger move_child_subscriptions_of_contract after update of protocol_id on contract
  for each row when (new.protocol_id is distinct from old.protocol_id) execute function move_child_subscriptions();

create table queued_call (
  chain_id int not null,
  address bytea not null,
  operation text collate "C" not null,
  about bytea not null,
  -- Of the event that announced it: an account that was alerted to it is also alerted to its end.
  severity smallint not null,
  block_number bigint not null,
  log_index int not null,
  primary key (chain_id, address, operation, about, block_number, log_index)
);
comment on table queued_call is
  'A call that waits in a timelock or for a vote, and a contract it is about: an execution or cancellation has only the operation.';
create index queued_call_by_block on queued_call (chain_id, block_number);

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
  -- The operation it opens or closes, as in queued_call.
  operation text,
  retracted_at timestamptz,
  -- The block that an unconfirmed event was seen in. Null for events that were first seen in a confirmed block.
  block_hash bytea,
  -- Null while the block has fewer confirmations than the chain requires.
  confirmed_at timestamptz default now()
);
comment on table alert_event is
  'A copy of an event that alerts report: a reorg deletes the event, and the retraction still has to describe it.';
create index alert_event_by_block on alert_event (chain_id, block_number);
create index alert_event_unconfirmed on alert_event (chain_id) where confirmed_at is null and retracted_at is null;

create table alert_message (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  channel_id bigint not null,
  channel text not null,
  -- The message it retracts; null for one that reports events.
  retracts bigint references alert_message on delete cascade,
  events bigint[] not null,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'sent', 'failed', 'cancelled')),
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  -- When it is attempted next; while a process sends it, when another process may claim it. Null when it is settled.
  next_at timestamptz,
  give_up_at timestamptz not null,
  -- The number of the current attempt; null between attempts.
  claim int,
  -- The recipient may have received it: a response timed out, the sending process died, or it was accepted once and is
  -- sent again. If its block is rolled back, a retraction has to be sent.
  may_have_arrived boolean not null default false,
  -- The id that recipients see. Random, because a restored copy would count from the same number again.
  uid uuid not null default gen_random_uuid(),
  collects_until timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by text
);
comment on table alert_message is
  'A message to one channel: about one transaction, or about all transactions until `collects_until`.';
comment on column alert_message.acknowledged_by is 'The name that Telegram or Slack gives for the person, or the e-mail address of the account.';
-- Due messages are found channel by channel, so that a channel that does not accept any is skipped in one step, however
-- many messages wait for it.
create index alert_message_open on alert_message (channel, channel_id, next_at, id) where next_at is not null;
create index alert_message_retracts on alert_message (retracts) where retracts is not null;
create unique index alert_message_collecting on alert_message (channel_id, collects_until) where collects_until is not null;
create unique index alert_message_uid on alert_message (uid);

create table alert_attempt (
  message_id bigint not null references alert_message on delete cascade,
  -- The value of the message's `attempts` during it.
  number int not null,
  started_at timestamptz not null,
  -- unknown: the recipient may have received the message, but no response is known.
  status text not null check (status in ('sent', 'failed', 'unknown')),
  -- Null if the sending process stopped before it recorded a response.
  duration_ms int,
  error text,
  -- The HTTP status of the response; null if there was none, or the channel does not use HTTP.
  response_status smallint,
  primary key (message_id, number)
);
comment on table alert_attempt is 'An attempt to send a message, and its outcome.';

create table delivery (
  id bigint generated always as identity primary key,
  account_id text not null references user_account (id) on delete cascade,
  -- Not a foreign key: deliveries of a deleted subscription stay.
  subscription_id bigint not null,
  event_id bigint not null references alert_event (id),
  channel text not null,
  message_id bigint not null references alert_message on delete cascade,
  created_at timestamptz not null default now(),
  cancelled_at timestamptz,
  cancelled_because text,
  unique (subscription_id, event_id, channel)
);
comment on table delivery is 'An event that a subscription reports to a channel, and the message that contains it.';
create index delivery_of_account on delivery (account_id, id);
create index delivery_of_message on delivery (message_id);
create index delivery_of_event on delivery (event_id);

-- Cancels deliveries that are not sent yet, and messages that have none left, unless a process sends one right now: that
-- process settles it. Messages are locked before deliveries, as by the code that settles messages and by rollbacks; the
-- opposite order would deadlock.
create function cancel_deliveries(ids bigint[], because text) returns void language sql as $$
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

create function cancel_deliveries_of_subscription() returns trigger language plpgsql as $$
begin
  perform cancel_deliveries(array(select id from delivery where subscription_id = old.id),
    'the subscription was deleted');
  return null;
end $$;
create trigger cancel_deliveries_of_subscription after delete on subscription
  for each row when (old.address is not null) execute function cancel_deliveries_of_subscription();

create function cancel_messages_of_channel() returns trigger language plpgsql as $$
begin
  perform cancel_deliveries(array(
      select d.id from delivery d join alert_message m on m.id = d.message_id
      where m.channel = old.kind and m.channel_id = old.id and m.next_at is not null), 'the channel was removed');
  update alert_message set status = 'cancelled', next_at = null, last_error = 'the channel was removed'
    where channel = old.kind and channel_id = old.id and next_at is not null and claim is null;
  return null;
end $$;
create trigger cancel_messages_of_channel after delete on alert_channel
  for each row execute function cancel_messages_of_channel();
