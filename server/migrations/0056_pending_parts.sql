-- A proposal and the operations that it queues in a timelock are one change.

alter table pending_step add column call_digests bytea not null default '';
comment on column pending_step.call_digests is 'Keccak-256 of each call with all that it contains, one after the other.';
alter table pending_operation
  add column call_digests bytea[] not null default '{}',
  add column part_of bigint references pending_operation on delete set null;
comment on column pending_operation.part_of is 'The proposal that queued it: the same transaction, and all of its calls.';
create index pending_operation_parts on pending_operation (part_of) where part_of is not null;
create index pending_operation_of_transaction on pending_operation (chain_id, queued_tx) where queued_tx is not null;

-- The operation that lists a change: the proposal, if that one is listed, otherwise the operation itself.
create function listed_operation(operation bigint, proposal bigint) returns bigint language sql stable as $$
  select coalesce((select p.id from pending_operation p where p.id = proposal and p.is_listed), operation)
$$;
