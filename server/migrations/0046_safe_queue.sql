-- Safe transactions that wait for signatures, from a Safe Transaction Service.

alter table pending_operation
  add column nonce bigint,
  add column missing_by bytea[],
  add column is_rejection boolean not null default false,
  add column queued_event_id bigint,
  add column ready_event_id bigint,
  drop constraint pending_operation_state_check,
  add constraint pending_operation_state_check check
    (state in ('proposed', 'queued', 'executed', 'failed', 'canceled', 'replaced', 'expired', 'defeated'));
comment on column pending_operation.nonce is 'The nonce of a Safe transaction: the Safe executes one of those with the same nonce.';
comment on column pending_operation.missing_by is 'Owners of a Safe that have not signed.';
comment on column pending_operation.is_rejection is 'An empty transaction of a Safe to itself, which cancels the others with its nonce.';
comment on column pending_operation.queued_event_id is 'The event that reported a Safe transaction; other families have an event of their contract.';
comment on column pending_operation.ready_event_id is 'The event that reported that enough owners of a Safe have signed.';
create index pending_operation_of_safe on pending_operation (chain_id, address, nonce) where family = 'safe';
create index pending_operation_reported on pending_operation (queued_event_id) where queued_event_id is not null;
create index pending_operation_reported_ready on pending_operation (ready_event_id) where ready_event_id is not null;

create table safe_queue (
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  read_at timestamptz not null,
  primary key (chain_id, address)
);
comment on table safe_queue is 'When the transactions of a Safe were last requested from the Safe Transaction Service of its chain.';
