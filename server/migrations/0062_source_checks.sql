-- Whether the source of the code that runs is published: what looks found running, and what Sourcify said of it.
--
-- Looks write what is to be asked, in their own transaction, so that an upgrade is asked about at once and a crash
-- forgets no question. An answer counts for the code it was given for: other code at the address is asked about anew.

create table source_check (
  chain_id int not null,
  address bytea not null,
  code_hash bytea not null,
  -- Null until it was answered.
  published boolean,
  asked_at timestamptz,
  -- When it is asked next, what an upgrade waits for before all others; null where the answer stands for good.
  ask_at timestamptz,
  primary key (chain_id, address)
);
create index source_check_due on source_check (ask_at) where ask_at is not null;
