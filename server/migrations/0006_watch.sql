-- How far the watcher has read each chain. Every transaction that stores events locks or checks `chain_cursor` first, so
-- that the cursor and the events always agree.

create table chain_cursor (
  chain_id int primary key,
  number bigint not null,
  hash bytea not null,
  -- Events before this block are not stored.
  start_block bigint not null,
  -- The second pass has verified every block up to this one.
  verified_to bigint not null,
  -- The number of reorgs. Events that were read before one must not be stored after it.
  reorgs bigint not null default 0,
  updated_at timestamptz not null default now()
);
comment on table chain_cursor is 'The last block of a chain whose events are stored.';

create table chain_block (
  chain_id int not null,
  number bigint not null,
  hash bytea not null,
  time timestamptz not null,
  primary key (chain_id, number)
);
comment on table chain_block is 'A block that a reorg may still roll back, the cursor included.';

create table chain_status (
  chain_id int primary key,
  head bigint,
  last_error text,
  -- How many endpoints were queried for the hash of the cursor, how many returned it, and when.
  endpoints smallint,
  agreeing smallint,
  agreement_at timestamptz,
  updated_at timestamptz not null default now(),
  -- When an endpoint last returned the head, and when that head last was another block.
  head_at timestamptz,
  head_changed_at timestamptz
);
comment on table chain_status is 'The state of the watcher on a chain, for status pages.';

create table backfill_job (
  id bigint generated always as identity primary key,
  chain_id int not null,
  scope text not null check (scope in ('contracts', 'chainwide', 'gap')),
  addresses bytea[] not null,
  from_block bigint not null,
  to_block bigint not null,
  -- Every block before this one has been read in this phase.
  next_block bigint not null,
  phase text not null default 'read' check (phase in ('read', 'verify', 'done')),
  announce boolean not null,
  events bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table backfill_job is
  'A backfill: past blocks to read, for a chain, for contracts that were added later, or for a time without a watcher.';
create index backfill_job_open on backfill_job (chain_id, id) where phase <> 'done';

create table backfill_request (
  chain_id int primary key,
  from_block bigint not null check (from_block >= 0)
);
comment on table backfill_request is
  'A backfill that an operator requests with a command; the process that watches the chain starts it.';

create table endpoint_limit (
  chain_id int not null,
  host text not null,
  filter text not null check (filter in ('addresses', 'chainwide')),
  -- The learned range in blocks, and the maximum that the endpoint's errors state; null if they state none.
  size double precision not null,
  ceiling bigint,
  primary key (chain_id, host, filter)
);
comment on table endpoint_limit is
  'How many blocks an endpoint accepts in one eth_getLogs request, as its refusals showed.';

create table watch_process (
  holder text primary key,
  chain_ids int[] not null,
  seen_at timestamptz not null default now()
);
comment on table watch_process is
  'A process that watches, and the chains it can watch: processes divide the chains among themselves. A row that was not updated for some seconds does not count.';

create table chain_day (
  chain text not null,
  -- In UTC.
  day date not null,
  -- Minutes in which a process recorded the state of the chain, and those of them in which it was up to date.
  recorded_minutes smallint not null,
  up_to_date_minutes smallint not null check (up_to_date_minutes <= recorded_minutes),
  -- The last minute that is counted, so that several processes count each minute once.
  last_minute timestamptz not null,
  primary key (chain, day)
);
comment on table chain_day is 'For how many minutes of a day a chain was recorded, and was up to date. Kept for 90 days.';
