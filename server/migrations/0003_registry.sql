-- Watched contracts and their protocols. All tables store addresses and hashes as bytes, which are half the size of
-- their text.

create table protocol (
  id bigint generated always as identity primary key,
  label text not null,
  slug text not null unique,
  -- The label in the registry file, by which an import finds a protocol that an operator renamed.
  seed_label text unique
);
comment on table protocol is 'A protocol that contracts belong to.';
create index protocol_label on protocol (lower(label));

create table contract (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  kind text not null default 'unknown',
  name text,
  protocol_id bigint references protocol,
  implementation bytea,
  admin bytea,
  owner bytea,
  verified boolean not null default false,
  source text not null check (source in ('seed', 'manual', 'discovered')),
  metadata jsonb not null default '{}',
  first_seen_at timestamptz not null default now(),
  last_checked_at timestamptz,
  -- Columns that an operator has set: an import does not change them.
  edited text[] not null default '{}',
  -- Whether the watcher still has to read the row. A sequence number would not do: a transaction with a lower number
  -- may commit later.
  watch_state text not null default 'new' check (watch_state in ('new', 'changed', 'watched')),
  unique (chain_id, address)
);
comment on table contract is 'A contract that is watched, or that was discovered as the controller of one.';
create index contract_of_protocol on contract (protocol_id);
-- The rows that the watcher has to read, which are few.
create index contract_pending on contract (chain_id) where watch_state <> 'watched';

-- The kind of a contract decides how its logs are decoded, so the watcher must read a changed kind.
create function mark_contract_changed() returns trigger language plpgsql as $$
begin
  if new.kind is distinct from old.kind and new.watch_state = 'watched' then new.watch_state := 'changed'; end if;
  return new;
end $$;
create trigger mark_contract_changed before update of kind on contract
  for each row execute function mark_contract_changed();

create table contract_creation (
  chain_id int not null,
  address bytea not null,
  -- The last block known without the code, and the first known with it.
  absent_until bigint,
  present_from bigint,
  tx_hash bytea,
  primary key (chain_id, address)
);
comment on table contract_creation is
  'When a contract got its code. Read once from a node; a reorg removes what the rolled-back blocks showed.';

create table contract_controller (
  chain_id int not null,
  address bytea not null,
  controller_chain_id int not null,
  controller bytea not null,
  -- The controller supplies its code (a beacon): the controller's events are the contract's own.
  is_logic boolean not null,
  primary key (chain_id, address, controller_chain_id, controller)
);
comment on table contract_controller is 'A contract and one address that controls it, by its last poll.';
-- The contracts that an address controls.
create index contract_controller_by on contract_controller (controller_chain_id, controller);
