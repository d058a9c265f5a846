-- The results of polls: snapshots of contracts, and who controls them.

create table control_snapshot (
  id bigint generated always as identity,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  block_number bigint not null,
  block_hash bytea not null,
  -- Of the block; null if unknown, then `taken_at` stands for it.
  block_time timestamptz,
  taken_at timestamptz not null default now(),
  -- The last poll that found the same state.
  polled_block bigint not null,
  polled_hash bytea,
  polled_at timestamptz not null default now(),
  -- Field to value; null if the contract has none, missing if it was never read.
  fields jsonb not null,
  -- Field to the block from which the log of a change is searched, if that is not the block after `polled_block`: a poll
  -- that could not read a field keeps the last value, and a log from before that poll may explain the next change.
  first_log_blocks jsonb,
  -- Field to a changed value that only one of several endpoints returned, and since when (milliseconds, block time).
  -- It is accepted if it remains the only observation for long enough.
  single_observations jsonb,
  -- Field to the values that two endpoints return, and since and until when (milliseconds, block time).
  disagreements jsonb,
  primary key (id, chain_id)
);
comment on table control_snapshot is
  'The state of a contract since one block. A poll that finds the same state updates `polled_*` of the last row, so that a contract has a row for each change.';
-- The latest snapshot of a contract is the first entry of its range.
create unique index control_snapshot_latest on control_snapshot (chain_id, address, block_number desc, id desc);
-- The contracts about which endpoints disagree, which are few.
create index control_snapshot_disagreement on control_snapshot (chain_id, address) where disagreements is not null;

create table control_profile (
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  label text not null check (label in ('immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock', 'unknown')),
  kind text not null,
  -- The last poll could not read everything; the label is the last settled one.
  stale boolean not null,
  stale_since timestamptz,
  reasons json not null,
  -- The control graph as the API returns it.
  tree json not null,
  block_number bigint not null,
  updated_at timestamptz not null default now(),
  primary key (chain_id, address)
);
comment on table control_profile is 'Who controls a contract, by its last poll.';

create table control_profile_change (
  id bigint generated always as identity,
  chain_id int not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea,
  changed_at timestamptz not null default now(),
  from_label text,
  to_label text not null,
  cause json not null,
  -- Tables that grow with a chain have the chain in their keys: a distributed PostgreSQL spreads them by it.
  primary key (id, chain_id)
);
comment on table control_profile_change is 'A change of the label of a contract, with its cause.';
create index control_profile_change_of on control_profile_change (chain_id, address, id);

create table profile_source (
  source_chain_id int not null,
  source bytea not null,
  chain_id int not null,
  address bytea not null,
  primary key (source_chain_id, source, chain_id, address)
);
comment on table profile_source is 'A contract whose state was read for the profile of another contract.';
create index profile_source_of on profile_source (chain_id, address);

create table poll_request (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null,
  -- The event that requests the poll; nulls for a rollback or a new controller.
  event_chain_id int,
  block_number bigint,
  tx_hash bytea,
  log_index int,
  event_key text,
  not_before timestamptz not null default now(),
  unique (chain_id, address, event_chain_id, tx_hash, log_index)
);
comment on table poll_request is
  'A poll to make soon. Stored in the transaction of its event and deleted in that of the poll, so that a crash between the two loses nothing.';
create index poll_request_next on poll_request (chain_id, not_before);

create table source_check (
  chain_id int not null,
  address bytea not null,
  code_hash bytea not null,
  -- Null until the first response.
  published boolean,
  checked_at timestamptz,
  -- When it is checked next, upgraded code first; null if the result is final.
  check_at timestamptz,
  primary key (chain_id, address)
);
comment on table source_check is
  'Whether Sourcify has the source of the code at an address. A poll that finds other code there requests a new check.';
create index source_check_due on source_check (check_at) where check_at is not null;
