-- Finds the contracts that run the code at an address. Null where a contract has no implementation.
create index control_snapshot_implementation on control_snapshot (
  chain_id,
  (coalesce(fields ->> 'implementation', fields ->> 'beaconImplementation'))
) where coalesce(fields ->> 'implementation', fields ->> 'beaconImplementation') is not null;
