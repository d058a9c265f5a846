-- Due messages are found receiver by receiver, so that one that stands still is passed over in a single step, however
-- much waits for it. By time alone, what waits for it lies before everything else, and each look reads all of it.

-- Several webhooks may live at one place, which is given only so much at once.
alter table alert_channel
  add column place text generated always as
    (case kind when 'webhook' then coalesce(lower(substring(target from '^\w+://([^/?#]*)')), '') end) stored;

drop index alert_message_due;
drop index alert_message_of_channel;
create index alert_message_open on alert_message (channel, channel_id, next_at, id) where next_at is not null;

create or replace function channel_deleted() returns trigger language plpgsql as $$
begin
  perform cancel_deliveries(array(
      select d.id from delivery d join alert_message m on m.id = d.message_id
      where m.channel = old.kind and m.channel_id = old.id and m.next_at is not null), 'the channel was removed');
  update alert_message set status = 'cancelled', next_at = null, last_error = 'the channel was removed'
    where channel = old.kind and channel_id = old.id and next_at is not null and claim is null;
  return null;
end $$;
