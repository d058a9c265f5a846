-- A distributed PostgreSQL spreads a table by one column and can keep unique only what contains it. The tables that
-- grow with a chain are spread by the chain; these had keys without it. Rows are still found by `id` alone.
alter table control_snapshot drop constraint control_snapshot_pkey, add primary key (id, chain_id);
alter table control_profile_change drop constraint control_profile_change_pkey, add primary key (id, chain_id);
alter table event_outbox drop constraint event_outbox_pkey, add primary key (id, chain_id);
