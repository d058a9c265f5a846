-- The results of polls: snapshots of contracts, who controls them, and what these accounts can do.

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
  -- The worst of the label's tone and those of the powers; null: that of the label.
  tone text check (tone in ('green', 'amber', 'red', 'grey')),
  -- Most harmful first; null if they were not analyzed.
  powers json,
  -- Who leads the accounts that control the contract, where it is not a multisig alone.
  led_by text check (led_by in ('vote', 'vote_or_multisig')),
  -- Holders of powers with the accounts behind them, for the drawing; null if they were not analyzed.
  power_paths json,
  -- What simulated calls of guarded functions showed, for the code and the accounts of that time; null if not tried.
  trials json,
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
  from_tone text,
  to_tone text,
  -- Whether a vote decided before and after, see `control_profile.led_by`.
  from_led_by text,
  to_led_by text,
  -- Tables that grow with a chain have the chain in their keys: a distributed PostgreSQL spreads them by it.
  primary key (id, chain_id)
);
comment on table control_profile_change is 'A change of the label of a contract, with its cause.';
create index control_profile_change_of on control_profile_change (chain_id, address, id);

-- The profiles that a contract had, so that its page can show the past.
create table profile_version (
  id bigint generated always as identity,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  block_number bigint not null,
  block_hash bytea not null,
  recorded_at timestamptz not null default now(),
  -- SHA-256 of the columns below. The next poll is compared with it.
  digest bytea not null,
  label text not null,
  tone text not null,
  led_by text,
  kind text not null,
  stale boolean not null,
  reasons json not null,
  tree json not null,
  powers json,
  power_paths json,
  primary key (id, chain_id)
);
comment on table profile_version is
  'Who controls a contract since one block, as polls found it. A contract has a row for each change.';
create unique index profile_version_latest on profile_version (chain_id, address, block_number desc, id desc);

create table control_powers (
  id bigint generated always as identity,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  block_number bigint not null,
  block_hash bytea not null,
  -- `effect:label:holder`, sorted.
  powers text[] not null,
  primary key (id, chain_id)
);
comment on table control_powers is
  'The powers over a contract since one block. A contract has a row for each change, and the next poll is compared with the last row, so that a reorg neither hides nor invents a change.';
create unique index control_powers_latest on control_powers (chain_id, address, block_number desc, id desc);

-- The reverse question: what an address can do.
create table power_holder (
  holder_chain_id int not null,
  holder bytea not null,
  chain_id int not null,
  address bytea not null,
  -- `signer` for a signer of the multisig at the address, otherwise an effect of `docs/powers.md`.
  effect text not null,
  class text not null check (class in ('critical', 'high', 'info')),
  role text not null,
  delay_seconds bigint not null,
  -- For a signer: how many signatures the multisig needs.
  threshold int,
  primary key (holder_chain_id, holder, chain_id, address, effect)
);
comment on table power_holder is 'An account that holds a power over a contract, or signs for a multisig, by the last complete poll.';
create index power_holder_of on power_holder (chain_id, address);

-- What an upgrade changed, and how harmful the roles of a contract are.
create table code_change (
  id bigint generated always as identity,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  block_number bigint not null,
  block_hash bytea not null,
  changed_at timestamptz not null default now(),
  -- Hashes of all code that runs for the contract, sorted.
  codes text[] not null,
  -- Who may call each function, by selector.
  functions json not null,
  -- What changed since the row before; null for the first.
  report json,
  primary key (id, chain_id)
);
comment on table code_change is
  'The code that runs for a contract since one block. A contract has a row for each change, and the next poll is compared with the last row, so that a reorg neither hides nor invents an upgrade.';
create unique index code_change_latest on code_change (chain_id, address, block_number desc, id desc);

create table role_weight (
  chain_id int not null,
  -- The contract that keeps the members of the role.
  book bytea not null,
  role text not null,
  -- The contract whose functions the role opens.
  address bytea not null,
  class text not null check (class in ('critical', 'high', 'info')),
  primary key (chain_id, book, role, address)
);
comment on table role_weight is 'The worst class of the functions that a role opens, by the last complete poll of the contract that has the functions.';
create index role_weight_of on role_weight (chain_id, address);

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

-- It depends on the code alone, so that every process and every restart shares it.
create table code_analysis (
  code_hash bytea not null check (octet_length(code_hash) = 32),
  -- The hash of the analyzer's source.
  analyzer_version text collate "C" not null,
  -- JSON, as text: no query reads inside it.
  facts text not null,
  -- The limit that the analysis exceeded, after which the code counts as not followed.
  exceeded text check (exceeded in ('steps', 'time', 'memory', 'result')),
  analyzed_at timestamptz not null default now(),
  primary key (code_hash, analyzer_version)
);
comment on table code_analysis is 'The facts that one version of the analyzer found in one code.';

create table contract_check (
  chain_id int not null,
  address bytea not null,
  requested_at timestamptz not null default now(),
  -- When a process started it. Another process starts it again if the first one ended meanwhile.
  started_at timestamptz,
  checked_at timestamptz,
  -- The profile of the contract, or why there is none. Null until it was checked.
  result jsonb,
  primary key (chain_id, address)
);
comment on table contract_check is 'A check of a contract that a visitor requested, with its result. Kept for a day.';
create index contract_check_waiting on contract_check (requested_at) where checked_at is null;
