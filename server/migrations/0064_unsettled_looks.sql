-- When the block of a snapshot was made: what is told of it later carries the block's time, not the time of the look, and
-- a rewind finds events by it. Null in rows that are older than this column: then the look's own time stands for it.

alter table control_snapshot add column block_time timestamptz;

-- Since when looks at a contract could not read all they need: they are made again soon at first, and less and less often.

alter table control_profile add column stale_since timestamptz;

-- Changes that only one of several endpoints could be asked about: field to what it said and since when, in milliseconds
-- by the clock of the chain. Believed once it has been the only one for long enough.

alter table control_snapshot add column alone jsonb;
