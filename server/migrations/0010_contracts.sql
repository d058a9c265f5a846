-- Contracts under watch and the protocols they belong to. Addresses and hashes are bytes everywhere: half the size of
-- their text, in tables and in every index.

create table protocol (
  id bigint generated always as identity primary key,
  label text not null,
  slug text not null unique,
  -- The label in the registry, so that an operator may rename the protocol and the next import still finds it.
  seed_label text unique
);
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
  -- Columns an operator has set: an import leaves them alone.
  edited text[] not null default '{}',
  -- What the watcher has to do about it. A flag in the row, because a counter of changes can be overtaken: a
  -- transaction with a lower number may commit later.
  watch_state text not null default 'new' check (watch_state in ('new', 'changed', 'watched')),
  unique (chain_id, address)
);
create index contract_of_protocol on contract (protocol_id);
create index contract_pending on contract (chain_id) where watch_state <> 'watched';

-- A kind that the poller corrects changes how logs are read, so the watcher must hear of it.
create function contract_kind_changed() returns trigger language plpgsql as $$
begin
  if new.kind is distinct from old.kind and new.watch_state = 'watched' then new.watch_state := 'changed'; end if;
  return new;
end $$;
create trigger contract_kind_changed before update of kind on contract
  for each row execute function contract_kind_changed();

-- When a contract got its code: the last block known without it, the first known with it, and the transaction that
-- made it. Asked once of a node and kept for ever; a rewind takes back what the undone blocks had told.
create table contract_creation (
  chain_id int not null,
  address bytea not null,
  absent_until bigint,
  present_from bigint,
  tx_hash bytea,
  primary key (chain_id, address)
);
