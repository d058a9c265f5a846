-- People, their sessions and credentials, and the API keys they make. The shapes of the first six tables are
-- better-auth's; their names and columns are mapped in accounts/auth.ts.

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
create index credential_account_id on credential (account_id);

create table wallet (
  id text primary key,
  account_id text not null references user_account (id) on delete cascade,
  address text not null,
  chain_id int not null,
  is_primary boolean not null,
  created_at timestamptz not null
);
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

-- Only the SHA-256 of a key is kept. A revoked key stays as a row, so that its usage stays readable.
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
create index api_key_account_id on api_key (account_id, api, created_at);

-- Every process keeps keys in memory; whoever changes a key or a plan, by whatever program, tells all of them.
create function tell_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('key_changed', encode(coalesce(new.hash, old.hash), 'hex'));
  return null;
end $$;
create trigger key_changed after insert or update or delete on api_key for each row execute function tell_key_changed();

create function tell_account_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('key_changed', encode(hash, 'hex')) from api_key where account_id = new.id;
  return null;
end $$;
create trigger account_changed after update of plan, utxo_plan, operator on user_account for each row execute function tell_account_changed();
