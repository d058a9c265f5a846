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
