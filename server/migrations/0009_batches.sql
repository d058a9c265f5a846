-- Batches of addresses to analyze.

create table analysis_batch (
  id uuid primary key,
  account_id text not null references user_account (id) on delete cascade,
  chain text not null check (chain in ('btc', 'ltc')),
  addresses text[] not null,
  -- How many outputs are listed for each address, by the plan at the time of the request; null for all.
  utxo_limit int,
  status text not null check (status in ('queued', 'running', 'completed')),
  -- Text and not json: sums beyond 2^53 keep all their digits.
  results text,
  created_at timestamptz not null,
  completed_at timestamptz,
  -- A process works on it until then; afterwards another one may claim it.
  claimed_until timestamptz,
  webhook_url text,
  webhook_secret text,
  webhook_status text check (webhook_status in ('waiting', 'delivered', 'retrying', 'failed')),
  webhook_attempts int not null default 0,
  webhook_next_at timestamptz,
  webhook_error text
);
comment on table analysis_batch is 'A batch of addresses that an account sent, its results, and the state of its callback.';
create index analysis_batch_account on analysis_batch (account_id);
create index analysis_batch_waiting on analysis_batch (created_at) where status <> 'completed';
create index analysis_batch_callback on analysis_batch (webhook_next_at) where webhook_next_at is not null;
create index analysis_batch_age on analysis_batch (completed_at);
