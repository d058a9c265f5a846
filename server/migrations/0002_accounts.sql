-- Accounts, their sessions and credentials, and API keys. The columns of the first six tables are better-auth's;
-- accounts/auth.ts maps their names.

create table user_account (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  plan text not null default 'free' check (plan in ('free', 'team')),
  utxo_plan text not null default 'basic' check (utxo_plan in ('basic', 'pro', 'enterprise')),
  operator boolean not null default false
);
comment on table user_account is 'An account: its name, e-mail address and plans.';

create table session (
  id text primary key,
  account_id text not null references user_account (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null
);
comment on table session is 'A signed-in browser of an account.';
-- Deleting an account, and better-auth's list of its sessions, find the rows by account; so do the indexes below.
create index session_account_id on session (account_id);

create table credential (
  id text primary key,
  account_id text not null references user_account (id) on delete cascade,
  provider text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null
);
comment on table credential is 'A way to sign in to an account: its password or an external provider''s account.';
create index credential_account_id on credential (account_id);

create table wallet (
  id text primary key,
  account_id text not null references user_account (id) on delete cascade,
  address text not null,
  chain_id int not null,
  is_primary boolean not null,
  created_at timestamptz not null
);
comment on table wallet is 'An Ethereum address that may sign in to an account.';
create index wallet_account_id on wallet (account_id);
create index wallet_address on wallet (address);

create table verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table verification is 'A pending proof: an e-mail address to verify, a password to reset, a message to sign.';
create index verification_identifier on verification (identifier);

create table signing_key (
  id text primary key,
  public_key text not null,
  private_key text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  alg text,
  crv text
);
comment on table signing_key is 'A key pair that signs access tokens.';

create table api_key (
  id uuid primary key,
  account_id text not null references user_account (id) on delete cascade,
  api text not null check (api in ('v1', 'v2')),
  name text not null,
  prefix text not null,
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
comment on table api_key is 'An API key of an account. Only its SHA-256 is stored. A revoked key keeps its row, so that its usage can be read.';
create index api_key_account_id on api_key (account_id, api, created_at);

-- Every process caches API keys. These triggers notify all processes of a changed key or plan, also if it was changed
-- with SQL.
create function notify_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('key_changed', encode(coalesce(new.hash, old.hash), 'hex'));
  return null;
end $$;
create trigger notify_key_changed after insert or update or delete on api_key
  for each row execute function notify_key_changed();

create function notify_keys_of_account_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('key_changed', encode(hash, 'hex')) from api_key where account_id = new.id;
  return null;
end $$;
create trigger notify_keys_of_account_changed after update of plan, utxo_plan, operator on user_account
  for each row execute function notify_keys_of_account_changed();
