-- How many endpoints of a chain stand by the block our cursor is on, for the status page: completeness is worth what
-- the nodes behind it agree on.
alter table chain_status
  add column endpoints smallint,
  add column agreeing smallint,
  add column agreement_at timestamptz;
