-- Every request that came with a known key, and what adds up from them.
--
-- The log is partitioned by UTC day; partitions are made ahead and dropped by traffic/store/partitions.ts. Accounts and
-- keys are named without foreign keys: the log is written in batches off the request path and must never wait for them.
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
create index request_log_account on request_log (account_id, at, request_id);
create index request_log_at on request_log (at, request_id);

-- Each process that writes the log numbers its batches. A batch whose fate was unknown is sent again under its number,
-- and this row, changed in the same transaction as the log, says whether it had arrived.
create table request_log_writer (
  id uuid primary key,
  last_batch bigint not null,
  last_at timestamptz not null
);

-- Sums by hour and by day, changed in the transaction that writes the log. Empty text where the log has null: a part of
-- the primary key is never null. `latency_bucket` is a class of a logarithmic histogram (traffic/latency.ts).
create table request_hour (
  starts_at timestamptz not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text not null,
  status smallint not null,
  code text not null,
  latency_bucket smallint not null,
  requests bigint not null,
  bytes bigint not null,
  latency_us bigint not null,
  primary key (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket)
) with (fillfactor = 70);
create index request_hour_starts_at on request_hour (starts_at);

create table request_day (like request_hour including all) with (fillfactor = 70);
