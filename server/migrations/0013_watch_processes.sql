-- Processes that watch, and the chains each of them could: how they share the chains among themselves. A row is fresh
-- for some seconds; whoever is not seen any longer does not count.

create table watch_process (
  holder text primary key,
  chain_ids int[] not null,
  seen_at timestamptz not null default now()
);
