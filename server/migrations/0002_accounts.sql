-- Accounts, their sessions and credentials, API keys, and what operators changed. The columns of the first seven tables
-- are better-auth's; accounts/auth.ts maps their names.

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
  operator boolean not null default false,
  two_factor_enabled boolean not null default false
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
  updated_at timestamptz not null,
  -- When the account last entered its password in this session, apart from its sign-in.
  confirmed_at timestamptz
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

create table two_factor (
  id text primary key,
  account_id text not null unique references user_account (id) on delete cascade,
  -- Both are encrypted with AUTH_SECRET.
  secret text not null,
  backup_codes text not null,
  -- False until the account has entered a first code.
  verified boolean not null default false,
  failed_verification_count int not null default 0,
  locked_until timestamptz
);
comment on table two_factor is 'The secret of the one-time codes (TOTP) of an account, and its backup codes.';

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
  revoked_at timestamptz,
  -- From then on the key is refused; null if it does not expire.
  expires_at timestamptz
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

-- What operators changed, for review. Rows are only added.
create table operator_change (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- The e-mail address of the operator, or the command line with its system account. Not a foreign key: the record
  -- outlives the account.
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb
);
comment on table operator_change is 'A change that an operator made: who, when, what, and the values before and after.';

create function refuse_change_of_operator_change() returns trigger language plpgsql as $$
begin
  raise exception 'operator_change is only added to';
end $$;
create trigger operator_change_is_only_added_to before update or delete on operator_change
  for each row execute function refuse_change_of_operator_change();
