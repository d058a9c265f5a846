-- Subscriptions to addresses, wallets and transactions, and their events.

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
  check ((kind = 'wallet') = (wallet_id is not null)),
  unique (account_id, chain, kind, target)
);
comment on table coin_subscription is 'A subscription of an account to an address, a kept wallet or a transaction.';
comment on column coin_subscription.target is 'The address, the id of the kept wallet, or the txid.';
comment on column coin_subscription.from_height is 'Transactions of later blocks are reported, and unconfirmed ones.';
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
create trigger note_subscription_change after insert or update or delete on coin_subscription
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
  kind text not null check (kind in ('seen', 'confirmed', 'replaced', 'spent')),
  target_kind text not null,
  target text not null,
  txid bytea not null,
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
  retracted_position bigint unique
);
comment on table coin_event is 'An event of a subscription. One that does not hold any more is retracted, and stays.';
create unique index coin_event_that_holds on coin_event (subscription_id, kind, txid) where retracted_at is null;
create index coin_event_of_account on coin_event (account_id, position);
create index coin_event_retracted on coin_event (account_id, retracted_position) where retracted_position is not null;
create index coin_event_by_time on coin_event (created_at);
