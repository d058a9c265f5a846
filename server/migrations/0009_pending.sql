-- Queued changes: what timelocks, governors, delay modules and Safes are about to do.
--
-- The steps of an operation are read in publication order, and the position of the reader is stored in the same
-- transaction. A step that a reorg retracted is deleted, and the operation is computed again from the steps that are left.

create table pending_operation (
  id bigint generated always as identity primary key,
  chain_id int not null,
  -- The timelock, governor, module or Safe.
  address bytea not null check (octet_length(address) = 20),
  -- Its id there, as in queued_call; the EIP-712 hash of a Safe transaction.
  operation text collate "C" not null,
  family text collate "C" not null,
  -- Whether a queued operation is ready or expired depends on the time, so that the reader decides it.
  state text not null check
    (state in ('proposed', 'queued', 'executed', 'failed', 'canceled', 'replaced', 'expired', 'defeated')),
  severity smallint not null check (severity between 0 and 2),
  queued_at timestamptz not null,
  -- Null for what is only in a Safe Transaction Service.
  queued_block bigint,
  queued_tx bytea,
  queued_by bytea,
  earliest_at timestamptz,
  expires_at timestamptz,
  closed_at timestamptz,
  closed_tx bytea,
  calls json not null,
  -- Of all calls: `calls` has the first ones.
  call_count int not null,
  -- The signatures of a Safe transaction: owners that signed, and how many it needs.
  confirmed_by bytea[],
  threshold int,
  -- Whether its contract is registered or controls a contract. Any other contract can log what it likes.
  is_listed boolean not null default false,
  -- When the chain was last read for it; null to read it soon.
  read_at timestamptz,
  -- The event that announced that it can be executed within an hour.
  due_event_id bigint,
  nonce bigint,
  missing_by bytea[],
  is_rejection boolean not null default false,
  queued_event_id bigint,
  ready_event_id bigint,
  call_digests bytea[] not null default '{}',
  part_of bigint references pending_operation on delete set null,
  execution json,
  trial json,
  tried_at timestamptz,
  unique (chain_id, address, operation)
);
comment on table pending_operation is 'A change that is queued, or was, in a timelock, governor, delay module or Safe.';
comment on column pending_operation.nonce is 'The nonce of a Safe transaction: the Safe executes one of those with the same nonce.';
comment on column pending_operation.missing_by is 'Owners of a Safe that have not signed.';
comment on column pending_operation.is_rejection is 'An empty transaction of a Safe to itself, which cancels the others with its nonce.';
comment on column pending_operation.queued_event_id is 'The event that reported a Safe transaction; other families have an event of their contract.';
comment on column pending_operation.ready_event_id is 'The event that reported that enough owners of a Safe have signed.';
comment on column pending_operation.part_of is 'The proposal that queued it: the same transaction, and all of its calls.';
comment on column pending_operation.execution is 'The call of a Safe transaction. Those of other families are in their events.';
comment on column pending_operation.trial is 'What the simulation of its calls showed; null before it was made.';
create index pending_operation_open on pending_operation (coalesce(earliest_at, 'infinity'), id)
  where is_listed and state in ('proposed', 'queued');
create index pending_operation_closed on pending_operation (closed_at desc, id desc)
  where is_listed and state not in ('proposed', 'queued');
create index pending_operation_unread on pending_operation (chain_id, read_at nulls first, id)
  where state in ('proposed', 'queued');
create index pending_operation_untried on pending_operation (chain_id, tried_at nulls first, id)
  where is_listed and state in ('proposed', 'queued');
create index pending_operation_announced on pending_operation (due_event_id) where due_event_id is not null;
create index pending_operation_due on pending_operation (earliest_at) where is_listed and state = 'queued' and due_event_id is null;
create index pending_operation_of_safe on pending_operation (chain_id, address, nonce) where family = 'safe';
create index pending_operation_reported on pending_operation (queued_event_id) where queued_event_id is not null;
create index pending_operation_reported_ready on pending_operation (ready_event_id) where ready_event_id is not null;
create index pending_operation_parts on pending_operation (part_of) where part_of is not null;
create index pending_operation_of_transaction on pending_operation (chain_id, queued_tx) where queued_tx is not null;

create table pending_step (
  operation_id bigint not null references pending_operation on delete cascade,
  event_id bigint not null,
  phase text not null check (phase in ('proposed', 'queued', 'executed', 'canceled')),
  severity smallint not null,
  block_number bigint not null,
  block_time timestamptz not null,
  log_index int not null,
  tx_hash bytea not null,
  queued_by bytea,
  ready_at timestamptz,
  calls json not null,
  call_count int not null,
  call_digests bytea not null default '',
  primary key (operation_id, event_id)
);
comment on table pending_step is 'An event that proposed, queued, executed or canceled an operation.';
comment on column pending_step.call_digests is 'Keccak-256 of each call with all that it contains, one after the other.';
create index pending_step_of_event on pending_step (event_id);

create table pending_target (
  operation_id bigint not null references pending_operation on delete cascade,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  -- Called or changed by the operation. Other addresses occur in the arguments of its calls, as new code does.
  is_affected boolean not null,
  -- Keccak-256 of the code when the operation was first read, and of the code it delegates to; null before that.
  code_hash bytea,
  implementation bytea,
  -- The last code that differs from it, and the event that reported it.
  changed_code_hash bytea,
  changed_event_id bigint,
  implementation_hash bytea,
  primary key (operation_id, address)
);
comment on table pending_target is 'An address that a queued operation calls, changes or passes on, and the code it had.';
comment on column pending_target.implementation_hash is 'Keccak-256 of the code that a proxy ran when the operation was first read.';
create index pending_target_of on pending_target (chain_id, address, operation_id);
create index pending_target_warned on pending_target (changed_event_id) where changed_event_id is not null;

create table safe_queue (
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  read_at timestamptz not null,
  primary key (chain_id, address)
);
comment on table safe_queue is 'When the transactions of a Safe were last requested from the Safe Transaction Service of its chain.';

create table pending_reader (
  id smallint primary key check (id = 1),
  position bigint not null,
  entry bigint
);
comment on table pending_reader is 'The publication up to which the steps of operations were read.';
insert into pending_reader (id, position) values (1, 0);

-- Any contract can log anything, so an operation is listed only if its contract is registered, or controls one that is.
create function is_listed_operation(chain int, emitter bytea) returns boolean language sql stable as $$
  select exists (select from contract c where c.chain_id = chain and c.address = emitter and c.source in ('seed', 'manual'))
    or exists (
      select from contract_controller k join contract c on c.chain_id = k.chain_id and c.address = k.address
      where k.controller_chain_id = chain and k.controller = emitter and c.source in ('seed', 'manual'))
$$;

-- For the same reason it counts as a change of another contract only if its own is registered, or controls the other.
create function is_credible_target(chain int, emitter bytea, target bytea) returns boolean language sql stable as $$
  select exists (select from contract c where c.chain_id = chain and c.address = emitter and c.source in ('seed', 'manual'))
    or exists (
      select from contract_controller k
      where k.chain_id = chain and k.address = target and k.controller_chain_id = chain and k.controller = emitter)
$$;

-- The operation that lists a change: the proposal, if that one is listed, otherwise the operation itself.
create function listed_operation(operation bigint, proposal bigint) returns bigint language sql stable as $$
  select coalesce((select p.id from pending_operation p where p.id = proposal and p.is_listed), operation)
$$;
