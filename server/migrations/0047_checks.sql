-- Checks of contracts that nobody watches, requested by visitors.

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
