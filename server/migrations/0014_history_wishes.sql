-- History an operator asks for from outside the process that watches a chain: whoever holds the chain takes it up.

create table history_wish (
  chain_id int primary key,
  from_block bigint not null check (from_block >= 0)
);
