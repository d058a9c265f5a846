-- Powers: what privileged callers can make a contract do.

alter table control_profile
  -- The worst of the label's tone and those of the powers; null: that of the label.
  add column tone text check (tone in ('green', 'amber', 'red', 'grey')),
  -- Most harmful first; null if they were not analyzed.
  add column powers json;

alter table control_profile_change
  add column from_tone text,
  add column to_tone text;

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
