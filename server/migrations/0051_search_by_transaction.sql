-- Events by transaction, for the search: a filter of bits for every megabyte of the table says which parts can hold one.
--
-- An index that orders hashes writes to a random page for every event; these filters cost a backfill next to nothing,
-- because a part is summed up once it is full. A search reads all filters, a 150th of the table, and a thousandth of
-- the table in vain.
create index control_event_of_tx on control_event
  using brin (tx_hash bytea_bloom_ops (false_positive_rate = 0.001)) with (autosummarize = on);
