-- Batches of addresses to analyze, wallets that accounts keep, and subscriptions to addresses, wallets and transactions.

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
  webhook_error text,
  webhook_host text
);
comment on table analysis_batch is 'A batch of addresses that an account sent, its results, and the state of its callback.';
comment on column analysis_batch.webhook_url is 'The URL of the callback, sealed.';
comment on column analysis_batch.webhook_host is 'A digest of the host of the callback.';
create index analysis_batch_account on analysis_batch (account_id);
create index analysis_batch_waiting on analysis_batch (created_at) where status <> 'completed';
create index analysis_batch_callback on analysis_batch (webhook_next_at) where webhook_next_at is not null;
create index analysis_batch_age on analysis_batch (completed_at);

create table kept_wallet (
  id uuid primary key,
  account_id text not null references user_account (id) on delete cascade,
  chain text not null check (chain in ('btc', 'ltc')),
  -- Name and descriptor as JSON, sealed: a descriptor reveals every address of its owner.
  content text not null,
  gap_limit int not null,
  created_at timestamptz not null,
  labels text
);
comment on table kept_wallet is 'A wallet that an account keeps.';
comment on column kept_wallet.content is 'Name and descriptor, sealed.';
comment on column kept_wallet.labels is 'The labels of the wallet (BIP 329) as JSON, sealed; null without labels.';
create index kept_wallet_account on kept_wallet (account_id, created_at);

create table coin_subscription (
  -- From the ids of subscriptions to contracts: deliveries refer to both.
  id bigint primary key default nextval(pg_get_serial_sequence('subscription', 'id')),
  account_id text not null references user_account (id) on delete cascade,
  chain text not null check (chain in ('btc', 'ltc')),
  kind text not null check (kind in ('address', 'wallet', 'transaction')),
  target text not null,
  wallet_id uuid references kept_wallet on delete cascade,
  events text[] not null check (events <@ array['seen', 'confirmed', 'replaced', 'spent'] and cardinality(events) > 0),
  confirmations int not null check (confirmations between 1 and 100),
  channels text[] not null,
  from_height int not null,
  created_at timestamptz not null default now(),
  watched_to int[],
  check ((kind = 'wallet') = (wallet_id is not null)),
  unique (account_id, chain, kind, target)
);
comment on table coin_subscription is 'A subscription of an account to an address, a kept wallet or a transaction.';
comment on column coin_subscription.target is 'The address, the id of the kept wallet, or the txid.';
comment on column coin_subscription.from_height is 'Transactions of later blocks are reported, and unconfirmed ones.';
comment on column coin_subscription.watched_to is
  'The first index of each branch of a wallet that is not watched yet. Null before the subscription was matched.';
create index coin_subscription_of_account on coin_subscription (account_id, id);
create index coin_subscription_of_wallet on coin_subscription (wallet_id) where wallet_id is not null;
create trigger cancel_deliveries_of_subscription after delete on coin_subscription
  for each row execute function cancel_deliveries_of_subscription();

create table coin_cursor (
  chain text primary key,
  -- Null before the first block was matched.
  height int
);
comment on table coin_cursor is 'The last block of each chain whose transactions were matched with subscriptions.';
insert into coin_cursor (chain) values ('btc'), ('ltc');

create table coin_block (
  chain text not null,
  height int not null,
  hash bytea not null,
  primary key (chain, height)
);
comment on table coin_block is 'The last matched blocks: a reorg is recognized by their hashes, also after a restart.';

create table coin_subscription_change (
  id bigint generated always as identity primary key,
  chain text not null,
  subscription_id bigint not null
);
comment on table coin_subscription_change is
  'A subscription changed. The process that follows its chain reads it again and deletes the row.';

create function note_subscription_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into coin_subscription_change (chain, subscription_id) values (old.chain, old.id);
  else
    insert into coin_subscription_change (chain, subscription_id) values (new.chain, new.id);
  end if;
  return null;
end $$;
-- What the follower of the chain notes is no change of the account.
create trigger note_subscription_change
  after insert or delete or update of events, confirmations, channels on coin_subscription
  for each row execute function note_subscription_change();

-- A wallet that is kept again may have another gap limit.
create function note_wallet_change() returns trigger language plpgsql as $$
begin
  insert into coin_subscription_change (chain, subscription_id)
    select chain, id from coin_subscription where wallet_id = new.id;
  return null;
end $$;
create trigger note_wallet_change after update of gap_limit on kept_wallet
  for each row when (old.gap_limit <> new.gap_limit) execute function note_wallet_change();

create table coin_activity (
  subscription_id bigint not null references coin_subscription on delete cascade,
  txid bytea not null check (octet_length(txid) = 32),
  -- Null while it is unconfirmed.
  block_height int,
  block_hash bytea,
  received bigint not null,
  sent bigint not null,
  -- It spends outputs of the subscribed transaction, and is not itself subscribed to.
  is_spender boolean not null,
  spends boolean not null,
  -- The outpoints it spends, if it was seen unconfirmed: txid and output number, 36 bytes each.
  prevouts bytea not null,
  -- Events that hold and were not reported, because the subscription had too many.
  muted text[] not null default '{}',
  primary key (subscription_id, txid)
);
comment on table coin_activity is
  'A transaction of a subscription that can still change: unconfirmed, replaced, or in a block that a reorg can replace.';

create sequence coin_event_position;

create table coin_event (
  -- From the ids of control events: messages refer to both.
  id bigint primary key default nextval('control_event_id'),
  account_id text not null references user_account (id) on delete cascade,
  -- Not a foreign key: events of a deleted subscription stay.
  subscription_id bigint not null,
  chain text not null,
  kind text not null check (kind in ('seen', 'confirmed', 'replaced', 'spent', 'more')),
  target_kind text not null,
  target text not null,
  -- Null if there are more events than are reported.
  txid bytea,
  block_height int,
  block_hash bytea,
  confirmations int,
  received bigint not null,
  sent bigint not null,
  replaced_by bytea,
  created_at timestamptz not null default now(),
  retracted_at timestamptz,
  retracted_because text check (retracted_because in ('reorganized', 'replaced', 'dropped', 'returned')),
  check ((retracted_at is null) = (retracted_because is null)),
  -- The place of the event and of its retraction in the order of the stream.
  position bigint not null unique default nextval('coin_event_position'),
  retracted_position bigint unique,
  -- Of `more`: the events of the hour beyond the limit.
  count int,
  hour timestamptz,
  constraint coin_event_more_check check (
    (kind = 'more') = (txid is null) and (kind = 'more') = (count is not null) and (kind = 'more') = (hour is not null)
  )
);
comment on table coin_event is 'An event of a subscription. One that does not hold any more is retracted, and stays.';
create unique index coin_event_that_holds on coin_event (subscription_id, kind, txid) where retracted_at is null;
create index coin_event_of_account on coin_event (account_id, position);
create index coin_event_retracted on coin_event (account_id, retracted_position) where retracted_position is not null;
create index coin_event_by_time on coin_event (created_at);

create table coin_event_hour (
  subscription_id bigint primary key references coin_subscription on delete cascade,
  hour timestamptz not null,
  reported int not null,
  -- Events beyond the limit.
  more int not null
);
comment on table coin_event_hour is 'How many events a subscription has in the current hour.';
create index coin_event_hour_by_time on coin_event_hour (hour);
