-- Wallets that an account keeps, so that requests can name them instead of sending a descriptor.

create table kept_wallet (
  id uuid primary key,
  account_id text not null references user_account (id) on delete cascade,
  chain text not null check (chain in ('btc', 'ltc')),
  -- Name and descriptor as JSON, sealed: a descriptor reveals every address of its owner.
  content text not null,
  gap_limit int not null,
  created_at timestamptz not null
);
comment on table kept_wallet is 'A wallet that an account keeps.';
comment on column kept_wallet.content is 'Name and descriptor, sealed.';
create index kept_wallet_account on kept_wallet (account_id, created_at);
