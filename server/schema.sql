-- Dump of all migrations, for reading and for review. Written by `npm run generate`; the tests compare it.

create table api_key (
  id uuid not null,
  account_id text not null,
  api text not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  created_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint api_key_api_check CHECK ((api = ANY (ARRAY['v1'::text, 'v2'::text]))),
  constraint api_key_hash_check CHECK ((length(hash) = 32)),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_pkey PRIMARY KEY (id)
);

create table credential (
  id text not null,
  account_id text not null,
  provider text not null,
  provider_account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamp with time zone,
  refresh_token_expires_at timestamp with time zone,
  scope text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone not null,
  constraint credential_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint credential_pkey PRIMARY KEY (id)
);

create table lease (
  name text not null,
  holder text not null,
  fence bigint not null,
  expires_at timestamp with time zone not null,
  constraint lease_pkey PRIMARY KEY (name)
);

create table request_counter (
  subject text not null,
  window_opened_at timestamp with time zone not null,
  window_used integer not null,
  month date not null,
  month_used bigint not null,
  last_at timestamp with time zone not null,
  constraint request_counter_pkey PRIMARY KEY (subject)
) with (fillfactor=50);

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table session (
  id text not null,
  account_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone not null,
  constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token)
);

create table signing_key (
  id text not null,
  public_key text not null,
  private_key text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  alg text,
  crv text,
  constraint signing_key_pkey PRIMARY KEY (id)
);

create table user_account (
  id text not null,
  name text not null,
  email text not null,
  email_verified boolean default false not null,
  image text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  plan text default 'free'::text not null,
  utxo_plan text default 'basic'::text not null,
  operator boolean default false not null,
  constraint user_account_email_key UNIQUE (email),
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'team'::text]))),
  constraint user_account_utxo_plan_check CHECK ((utxo_plan = ANY (ARRAY['basic'::text, 'pro'::text, 'enterprise'::text])))
);

create table verification (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint verification_pkey PRIMARY KEY (id)
);

create table wallet (
  id text not null,
  account_id text not null,
  address text not null,
  chain_id integer not null,
  is_primary boolean not null,
  created_at timestamp with time zone not null,
  constraint wallet_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint wallet_pkey PRIMARY KEY (id)
);

CREATE INDEX api_key_account_id ON public.api_key USING btree (account_id, api, created_at);

CREATE INDEX credential_account_id ON public.credential USING btree (account_id);

CREATE INDEX session_account_id ON public.session USING btree (account_id);

CREATE INDEX verification_identifier ON public.verification USING btree (identifier);

CREATE INDEX wallet_account_id ON public.wallet USING btree (account_id);

CREATE INDEX wallet_address ON public.wallet USING btree (address);

CREATE OR REPLACE FUNCTION public.take_requests(subjects text[], counts integer[], window_limits integer[], window_ms integer[], month_limits bigint[], at timestamp with time zone, this_month date)
 RETURNS TABLE(subject text, granted integer, refused_by_window integer, window_ends_at timestamp with time zone, window_left integer, month_total bigint)
 LANGUAGE plpgsql
AS $function$
declare
  counter request_counter;
  in_window int;
begin
  for i in 1 .. coalesce(array_length(subjects, 1), 0) loop
    insert into request_counter as fresh values (subjects[i], at, 0, this_month, 0, at) on conflict do nothing;
    select * into counter from request_counter c where c.subject = subjects[i] for update;
    if at >= counter.window_opened_at + window_ms[i] * interval '1 millisecond' then
      counter.window_opened_at := at;
      counter.window_used := 0;
    end if;
    if this_month > counter.month then
      counter.month := this_month;
      counter.month_used := 0;
    end if;
    in_window := least(counts[i], greatest(window_limits[i] - counter.window_used, 0));
    granted := least(in_window, greatest(coalesce(month_limits[i], 9007199254740991) - counter.month_used, 0));
    update request_counter c
      set window_opened_at = counter.window_opened_at, window_used = counter.window_used + granted,
          month = counter.month, month_used = counter.month_used + granted, last_at = greatest(counter.last_at, at)
      where c.subject = subjects[i] and granted > 0;
    subject := subjects[i];
    refused_by_window := counts[i] - in_window;
    window_ends_at := counter.window_opened_at + window_ms[i] * interval '1 millisecond';
    window_left := window_limits[i] - counter.window_used - granted;
    month_total := counter.month_used + granted;
    return next;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_account_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('key_changed', encode(hash, 'hex')) from api_key where account_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.tell_key_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('key_changed', encode(coalesce(new.hash, old.hash), 'hex'));
  return null;
end $function$
;

CREATE TRIGGER account_changed AFTER UPDATE OF plan, utxo_plan, operator ON public.user_account FOR EACH ROW EXECUTE FUNCTION tell_account_changed();

CREATE TRIGGER key_changed AFTER INSERT OR DELETE OR UPDATE ON public.api_key FOR EACH ROW EXECUTE FUNCTION tell_key_changed();
