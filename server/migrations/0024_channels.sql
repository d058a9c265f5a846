-- Channels of further kinds, messages that collect several transactions, and acknowledgments.
-- Breaks older versions: they read a column for each kind of channel.

alter table alert_channel drop constraint alert_channel_kind_check;
alter table alert_channel add constraint alert_channel_kind_check check (kind in
  ('telegram', 'email', 'webhook', 'slack', 'discord', 'teams', 'pagerduty', 'opsgenie', 'custom'));
comment on column alert_channel.target is
  'The recipient, sealed: a chat id, an e-mail address, a URL, or a JSON object with the URL and its credentials.';

-- A subscription lists its channels by kind. Channels that did not exist before are on, as for a new subscription.
alter table subscription add column channels text[];
update subscription set channels = array['slack', 'discord', 'teams', 'pagerduty', 'opsgenie', 'custom']
  || array_remove(array[case when telegram then 'telegram' end, case when email then 'email' end,
    case when webhook then 'webhook' end], null);
alter table subscription alter column channels set not null, drop column telegram, drop column email, drop column webhook;

create or replace function add_child_subscriptions() returns trigger language plpgsql as $$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.channels, new.include_controllers,
      new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $$;

create or replace function update_child_subscriptions() returns trigger language plpgsql as $$
begin
  update subscription set min_severity = new.min_severity, channels = new.channels,
    include_controllers = new.include_controllers, paused_at = new.paused_at
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
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers, paused_at)
    select p.account_id, p.id, new.chain_id, new.address, p.min_severity, p.channels, p.include_controllers, p.paused_at
    from subscription p where p.protocol_id = new.protocol_id
    on conflict do nothing;
  return null;
end $$;

-- The schedule of a channel. A severity is the highest one that waits; more severe messages are sent at once.
alter table alert_channel
  add column digest_minutes int check (digest_minutes between 5 and 1440),
  add column digest_severity smallint check (digest_severity between 0 and 2),
  add column quiet_from time,
  add column quiet_to time,
  add column quiet_zone text,
  add column quiet_severity smallint check (quiet_severity between 0 and 2),
  add check ((digest_minutes is null) = (digest_severity is null)),
  add check (num_nulls(quiet_from, quiet_to, quiet_zone, quiet_severity) in (0, 4) and quiet_from <> quiet_to);

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

alter table alert_message
  add column collects_until timestamptz,
  add column acknowledged_at timestamptz,
  add column acknowledged_by text;
comment on table alert_message is
  'A message to one channel: about one transaction, or about all transactions until `collects_until`.';
comment on column alert_message.acknowledged_by is 'The name that Telegram or Slack gives for the person, or the e-mail address of the account.';
create unique index alert_message_collecting on alert_message (channel_id, collects_until) where collects_until is not null;
create unique index alert_message_uid on alert_message (uid);
