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
