-- Where the watcher stands on each chain. Every write locks or checks `chain_cursor` first, so that cursor, events and
-- outbox never tell different stories.

create table chain_cursor (
  chain_id int primary key,
  number bigint not null,
  hash bytea not null,
  -- Events before this block are not wanted.
  start_block bigint not null,
  -- The second pass has read every block up to this one.
  audited_to bigint not null,
  -- Counts rewinds: work planned before one must not be stored after it.
  rewinds bigint not null default 0,
  updated_at timestamptz not null default now()
);

-- Blocks that may still be undone, the cursor among them.
create table chain_block (
  chain_id int not null,
  number bigint not null,
  hash bytea not null,
  time timestamptz not null,
  primary key (chain_id, number)
);

-- What is seen of a chain by whoever watches it: for `status`, written at leisure.
create table chain_status (
  chain_id int primary key,
  head bigint,
  last_error text,
  updated_at timestamptz not null default now()
);

-- History to read: of a chain, of contracts that came later, of the time nobody watched.
create table scan_job (
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
create index scan_job_open on scan_job (chain_id, id) where phase <> 'done';

-- How many blocks an endpoint takes in one question; learned by refusals, so kept.
create table endpoint_limit (
  chain_id int not null,
  host text not null,
  filter text not null check (filter in ('addresses', 'chainwide')),
  size double precision not null,
  ceiling bigint,
  primary key (chain_id, host, filter)
);
