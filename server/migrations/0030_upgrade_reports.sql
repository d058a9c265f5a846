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

-- Whether a vote decided before and after a change of label, see `control_profile.led_by`.
alter table control_profile_change
  add column from_led_by text,
  add column to_led_by text;
