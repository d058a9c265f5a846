-- The code behind the targets of queued changes, and warnings that a reorg retracted.

alter table pending_target add column implementation_hash bytea;
comment on column pending_target.implementation_hash is 'Keccak-256 of the code that a proxy ran when the operation was first read.';
create index pending_target_warned on pending_target (changed_event_id) where changed_event_id is not null;
create index pending_operation_announced on pending_operation (due_event_id) where due_event_id is not null;
create index pending_operation_due on pending_operation (earliest_at) where is_listed and state = 'queued' and due_event_id is null;
