-- What contracts would be after a queued change, by a simulation of its calls.

alter table pending_operation
  add column execution json,
  add column trial json,
  add column tried_at timestamptz;
comment on column pending_operation.execution is 'The call of a Safe transaction. Those of other families are in their events.';
comment on column pending_operation.trial is 'What the simulation of its calls showed; null before it was made.';
create index pending_operation_untried on pending_operation (chain_id, tried_at nulls first, id)
  where is_listed and state in ('proposed', 'queued');
