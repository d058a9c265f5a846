-- From which block on the announcement of a change is looked for, where that is not the block after `seen_block`.
--
-- A look that could not read a field, or not believe what it read, carries the last value on: what was announced before
-- that look still explains the change that the next one finds. Field to block; null where the last look settled all.

alter table control_snapshot add column logs_from jsonb;
