-- Webhook secrets and the recipients of alerts are sealed with a key outside the database (platform/vault.ts). Rows from
-- before are sealed at the next start.

alter table alert_channel drop column webhook_host;
alter table alert_channel add column webhook_host text;
comment on column alert_channel.target is 'The recipient, sealed.';
comment on column alert_channel.webhook_host is
  'A digest of the host of a webhook: webhooks at one host share a limit of concurrent requests.';

alter table analysis_batch add column webhook_host text;
comment on column analysis_batch.webhook_url is 'The URL of the callback, sealed.';
comment on column analysis_batch.webhook_host is 'A digest of the host of the callback.';
