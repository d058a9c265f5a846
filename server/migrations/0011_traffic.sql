-- The log of requests with a known API key, and its rollups.
--
-- The log is partitioned by UTC day; traffic/ creates partitions ahead of time and drops old ones. There are no foreign
-- keys to accounts and keys: the log is written in batches after the response and must not wait for locks on them.

create table request_log (
  at timestamptz not null,
  request_id text not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text,
  status smallint not null,
  code text,
  latency_us int not null,
  bytes int not null,
  network cidr
) partition by range (at);
comment on table request_log is 'An entry of the request log: one request with a known API key.';
create index request_log_account on request_log (account_id, at, request_id);
create index request_log_at on request_log (at, request_id);

create table request_log_writer (
  id uuid primary key,
  last_batch bigint not null,
  last_at timestamptz not null
);
comment on table request_log_writer is
  'A process that writes the log, and the number of its last stored batch: a batch whose commit is unknown is sent again under its number, and stored once.';

-- Empty text where the log has null: a column of the primary key is never null.
create table request_hour (
  starts_at timestamptz not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text not null,
  status smallint not null,
  code text not null,
  -- A bucket of a logarithmic histogram (traffic/latency.ts).
  latency_bucket smallint not null,
  requests bigint not null,
  bytes bigint not null,
  latency_us bigint not null,
  primary key (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket)
) with (fillfactor = 70);
comment on table request_hour is
  'The requests of one hour that agree in key, endpoint, chain, status, code and latency bucket. Updated in the transaction that writes the log.';
create index request_hour_starts_at on request_hour (starts_at);

create table request_day (like request_hour including all) with (fillfactor = 70);
comment on table request_day is 'The same of one UTC day.';
