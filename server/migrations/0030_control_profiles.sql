-- What looking at contracts found: snapshots of their state, and who holds their keys.
--
-- A snapshot is a row only when something in it changed; a look that found the same moves `seen_*` of the last row.
-- So the history of a contract is as long as its changes, not as the hours it was watched.

create table control_snapshot (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  block_number bigint not null,
  block_hash bytea not null,
  taken_at timestamptz not null default now(),
  seen_block bigint not null,
  seen_at timestamptz not null default now(),
  -- Field to value; null where the chain has none, missing where it was never read.
  fields jsonb not null
);
create unique index control_snapshot_latest on control_snapshot (chain_id, address, block_number desc, id desc);

create table control_profile (
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  label text not null check (label in ('immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock', 'unknown')),
  kind text not null,
  -- Something could not be read at the last look; the label is the last that was settled.
  stale boolean not null,
  reasons json not null,
  -- The whole chain of control, as it is shown.
  tree json not null,
  block_number bigint not null,
  updated_at timestamptz not null default now(),
  primary key (chain_id, address)
);

-- Every change of a label, with what caused it.
create table control_profile_change (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null,
  block_number bigint not null,
  changed_at timestamptz not null default now(),
  from_label text,
  to_label text not null,
  cause json not null
);
create index control_profile_change_of on control_profile_change (chain_id, address, id);
