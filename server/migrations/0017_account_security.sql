-- One-time codes as a second factor, and the time at which a session's account entered its password again.

alter table user_account add column two_factor_enabled boolean not null default false;

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

alter table session add column confirmed_at timestamptz;
comment on column session.confirmed_at is 'When the account last entered its password in this session, apart from its sign-in.';
