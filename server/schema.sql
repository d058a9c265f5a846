-- Dump of all migrations, for reading and for review. Written by `npm run generate`; the tests compare it.

-- An attempt to send a message, and its outcome.
create table alert_attempt (
  message_id bigint not null,
  number integer not null,
  started_at timestamp with time zone not null,
  status text not null,
  duration_ms integer,
  error text,
  response_status smallint,
  constraint alert_attempt_message_id_fkey FOREIGN KEY (message_id) REFERENCES alert_message(id) ON DELETE CASCADE,
  constraint alert_attempt_pkey PRIMARY KEY (message_id, number),
  constraint alert_attempt_status_check CHECK ((status = ANY (ARRAY['sent'::text, 'failed'::text, 'unknown'::text])))
);

-- Where an account receives alerts: one channel of each kind. Only a confirmed channel that is not disabled receives any.
create table alert_channel (
  id bigint generated always as identity not null,
  account_id text not null,
  kind text not null,
  target text not null,
  title text,
  token text not null,
  confirmed_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  webhook_host text,
  digest_minutes integer,
  digest_severity smallint,
  quiet_from time without time zone,
  quiet_to time without time zone,
  quiet_zone text,
  quiet_severity smallint,
  constraint alert_channel_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint alert_channel_account_id_kind_key UNIQUE (account_id, kind),
  constraint alert_channel_check CHECK (((digest_minutes IS NULL) = (digest_severity IS NULL))),
  constraint alert_channel_check1 CHECK (((num_nulls(quiet_from, quiet_to, quiet_zone, quiet_severity) = ANY (ARRAY[0, 4])) AND (quiet_from <> quiet_to))),
  constraint alert_channel_digest_minutes_check CHECK (((digest_minutes >= 5) AND (digest_minutes <= 1440))),
  constraint alert_channel_digest_severity_check CHECK (((digest_severity >= 0) AND (digest_severity <= 2))),
  constraint alert_channel_kind_check CHECK ((kind = ANY (ARRAY['telegram'::text, 'email'::text, 'webhook'::text, 'slack'::text, 'discord'::text, 'teams'::text, 'pagerduty'::text, 'opsgenie'::text, 'custom'::text]))),
  constraint alert_channel_pkey PRIMARY KEY (id),
  constraint alert_channel_quiet_severity_check CHECK (((quiet_severity >= 0) AND (quiet_severity <= 2))),
  constraint alert_channel_token_key UNIQUE (token)
);

-- A copy of an event that alerts report: a reorg deletes the event, and the retraction still has to describe it.
create table alert_event (
  id bigint not null,
  chain_id integer not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  tx_hash bytea not null,
  log_index integer not null,
  address bytea not null,
  event_key text not null,
  category text not null,
  severity smallint not null,
  is_init boolean not null,
  is_derived boolean not null,
  args json not null,
  operation text,
  retracted_at timestamp with time zone,
  block_hash bytea,
  confirmed_at timestamp with time zone default now(),
  constraint alert_event_pkey PRIMARY KEY (id)
);

-- A message to one channel: about one transaction, or about all transactions until `collects_until`.
create table alert_message (
  id bigint generated always as identity not null,
  account_id text not null,
  channel_id bigint not null,
  channel text not null,
  retracts bigint,
  events bigint[] not null,
  status text default 'pending'::text not null,
  attempts integer default 0 not null,
  last_error text,
  created_at timestamp with time zone default now() not null,
  sent_at timestamp with time zone,
  next_at timestamp with time zone,
  give_up_at timestamp with time zone not null,
  claim integer,
  may_have_arrived boolean default false not null,
  uid uuid default gen_random_uuid() not null,
  collects_until timestamp with time zone,
  acknowledged_at timestamp with time zone,
  acknowledged_by text,
  constraint alert_message_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint alert_message_pkey PRIMARY KEY (id),
  constraint alert_message_retracts_fkey FOREIGN KEY (retracts) REFERENCES alert_message(id) ON DELETE CASCADE,
  constraint alert_message_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'sent'::text, 'failed'::text, 'cancelled'::text])))
);

-- A batch of addresses that an account sent, its results, and the state of its callback.
create table analysis_batch (
  id uuid not null,
  account_id text not null,
  chain text not null,
  addresses text[] not null,
  utxo_limit integer,
  status text not null,
  results text,
  created_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  claimed_until timestamp with time zone,
  webhook_url text,
  webhook_secret text,
  webhook_status text,
  webhook_attempts integer default 0 not null,
  webhook_next_at timestamp with time zone,
  webhook_error text,
  webhook_host text,
  constraint analysis_batch_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint analysis_batch_chain_check CHECK ((chain = ANY (ARRAY['btc'::text, 'ltc'::text]))),
  constraint analysis_batch_pkey PRIMARY KEY (id),
  constraint analysis_batch_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'completed'::text]))),
  constraint analysis_batch_webhook_status_check CHECK ((webhook_status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'retrying'::text, 'failed'::text])))
);

-- An API key of an account. Only its SHA-256 is stored. A revoked key keeps its row, so that its usage can be read.
create table api_key (
  id uuid not null,
  account_id text not null,
  api text not null,
  name text not null,
  prefix text not null,
  hash bytea not null,
  created_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  expires_at timestamp with time zone,
  constraint api_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint api_key_api_check CHECK ((api = ANY (ARRAY['v1'::text, 'v2'::text]))),
  constraint api_key_hash_check CHECK ((length(hash) = 32)),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_pkey PRIMARY KEY (id)
);

-- A backfill: past blocks to read, for a chain, for contracts that were added later, or for a time without a watcher.
create table backfill_job (
  id bigint generated always as identity not null,
  chain_id integer not null,
  scope text not null,
  addresses bytea[] not null,
  from_block bigint not null,
  to_block bigint not null,
  next_block bigint not null,
  phase text default 'read'::text not null,
  announce boolean not null,
  events bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint backfill_job_phase_check CHECK ((phase = ANY (ARRAY['read'::text, 'verify'::text, 'done'::text]))),
  constraint backfill_job_pkey PRIMARY KEY (id),
  constraint backfill_job_scope_check CHECK ((scope = ANY (ARRAY['contracts'::text, 'chainwide'::text, 'gap'::text])))
);

-- A backfill that an operator requests with a command; the process that watches the chain starts it.
create table backfill_request (
  chain_id integer not null,
  from_block bigint not null,
  constraint backfill_request_from_block_check CHECK ((from_block >= 0)),
  constraint backfill_request_pkey PRIMARY KEY (chain_id)
);

-- A block that a reorg may still roll back, the cursor included.
create table chain_block (
  chain_id integer not null,
  number bigint not null,
  hash bytea not null,
  "time" timestamp with time zone not null,
  constraint chain_block_pkey PRIMARY KEY (chain_id, number)
);

-- The last block of a chain whose events are stored.
create table chain_cursor (
  chain_id integer not null,
  number bigint not null,
  hash bytea not null,
  start_block bigint not null,
  verified_to bigint not null,
  reorgs bigint default 0 not null,
  updated_at timestamp with time zone default now() not null,
  constraint chain_cursor_pkey PRIMARY KEY (chain_id)
);

-- For how many minutes of a day a chain was recorded, and was up to date. Kept for 90 days.
create table chain_day (
  chain text not null,
  day date not null,
  recorded_minutes smallint not null,
  up_to_date_minutes smallint not null,
  last_minute timestamp with time zone not null,
  constraint chain_day_check CHECK ((up_to_date_minutes <= recorded_minutes)),
  constraint chain_day_pkey PRIMARY KEY (chain, day)
);

-- The state of the watcher on a chain, for status pages.
create table chain_status (
  chain_id integer not null,
  head bigint,
  last_error text,
  endpoints smallint,
  agreeing smallint,
  agreement_at timestamp with time zone,
  updated_at timestamp with time zone default now() not null,
  head_at timestamp with time zone,
  head_changed_at timestamp with time zone,
  constraint chain_status_pkey PRIMARY KEY (chain_id)
);

-- A chat or e-mail address that an account still has to confirm, with a code of which the hash is stored.
create table channel_confirmation (
  account_id text not null,
  kind text not null,
  code_hash bytea not null,
  target text,
  expires_at timestamp with time zone not null,
  constraint channel_confirmation_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint channel_confirmation_code_hash_key UNIQUE (code_hash),
  constraint channel_confirmation_kind_check CHECK ((kind = ANY (ARRAY['telegram'::text, 'email'::text]))),
  constraint channel_confirmation_pkey PRIMARY KEY (account_id, kind)
);

-- The facts that one version of the analyzer found in one code.
create table code_analysis (
  code_hash bytea not null,
  analyzer_version text not null,
  facts text not null,
  exceeded text,
  analyzed_at timestamp with time zone default now() not null,
  constraint code_analysis_code_hash_check CHECK ((octet_length(code_hash) = 32)),
  constraint code_analysis_exceeded_check CHECK ((exceeded = ANY (ARRAY['steps'::text, 'time'::text, 'memory'::text, 'result'::text]))),
  constraint code_analysis_pkey PRIMARY KEY (code_hash, analyzer_version)
);

-- The code that runs for a contract since one block. A contract has a row for each change, and the next poll is compared with the last row, so that a reorg neither hides nor invents an upgrade.
create table code_change (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea not null,
  changed_at timestamp with time zone default now() not null,
  codes text[] not null,
  functions json not null,
  report json,
  constraint code_change_address_check CHECK ((octet_length(address) = 20)),
  constraint code_change_pkey PRIMARY KEY (id, chain_id)
);

-- A transaction of a subscription that can still change: unconfirmed, replaced, or in a block that a reorg can replace.
create table coin_activity (
  subscription_id bigint not null,
  txid bytea not null,
  block_height integer,
  block_hash bytea,
  received bigint not null,
  sent bigint not null,
  is_spender boolean not null,
  spends boolean not null,
  prevouts bytea not null,
  muted text[] default '{}'::text[] not null,
  constraint coin_activity_pkey PRIMARY KEY (subscription_id, txid),
  constraint coin_activity_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES coin_subscription(id) ON DELETE CASCADE,
  constraint coin_activity_txid_check CHECK ((octet_length(txid) = 32))
);

-- The last matched blocks: a reorg is recognized by their hashes, also after a restart.
create table coin_block (
  chain text not null,
  height integer not null,
  hash bytea not null,
  constraint coin_block_pkey PRIMARY KEY (chain, height)
);

-- The last block of each chain whose transactions were matched with subscriptions.
create table coin_cursor (
  chain text not null,
  height integer,
  constraint coin_cursor_pkey PRIMARY KEY (chain)
);

-- An event of a subscription. One that does not hold any more is retracted, and stays.
create table coin_event (
  id bigint default nextval('control_event_id'::regclass) not null,
  account_id text not null,
  subscription_id bigint not null,
  chain text not null,
  kind text not null,
  target_kind text not null,
  target text not null,
  txid bytea,
  block_height integer,
  block_hash bytea,
  confirmations integer,
  received bigint not null,
  sent bigint not null,
  replaced_by bytea,
  created_at timestamp with time zone default now() not null,
  retracted_at timestamp with time zone,
  retracted_because text,
  "position" bigint default nextval('coin_event_position'::regclass) not null,
  retracted_position bigint,
  count integer,
  hour timestamp with time zone,
  constraint coin_event_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint coin_event_check CHECK (((retracted_at IS NULL) = (retracted_because IS NULL))),
  constraint coin_event_kind_check CHECK ((kind = ANY (ARRAY['seen'::text, 'confirmed'::text, 'replaced'::text, 'spent'::text, 'more'::text]))),
  constraint coin_event_more_check CHECK ((((kind = 'more'::text) = (txid IS NULL)) AND ((kind = 'more'::text) = (count IS NOT NULL)) AND ((kind = 'more'::text) = (hour IS NOT NULL)))),
  constraint coin_event_pkey PRIMARY KEY (id),
  constraint coin_event_position_key UNIQUE ("position"),
  constraint coin_event_retracted_because_check CHECK ((retracted_because = ANY (ARRAY['reorganized'::text, 'replaced'::text, 'dropped'::text, 'returned'::text]))),
  constraint coin_event_retracted_position_key UNIQUE (retracted_position)
);

-- How many events a subscription has in the current hour.
create table coin_event_hour (
  subscription_id bigint not null,
  hour timestamp with time zone not null,
  reported integer not null,
  more integer not null,
  constraint coin_event_hour_pkey PRIMARY KEY (subscription_id),
  constraint coin_event_hour_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES coin_subscription(id) ON DELETE CASCADE
);

-- A subscription of an account to an address, a kept wallet or a transaction.
create table coin_subscription (
  id bigint default nextval((pg_get_serial_sequence('subscription'::text, 'id'::text))::regclass) not null,
  account_id text not null,
  chain text not null,
  kind text not null,
  target text not null,
  wallet_id uuid,
  events text[] not null,
  confirmations integer not null,
  channels text[] not null,
  from_height integer not null,
  created_at timestamp with time zone default now() not null,
  watched_to integer[],
  constraint coin_subscription_account_id_chain_kind_target_key UNIQUE (account_id, chain, kind, target),
  constraint coin_subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint coin_subscription_chain_check CHECK ((chain = ANY (ARRAY['btc'::text, 'ltc'::text]))),
  constraint coin_subscription_check CHECK (((kind = 'wallet'::text) = (wallet_id IS NOT NULL))),
  constraint coin_subscription_confirmations_check CHECK (((confirmations >= 1) AND (confirmations <= 100))),
  constraint coin_subscription_events_check CHECK (((events <@ ARRAY['seen'::text, 'confirmed'::text, 'replaced'::text, 'spent'::text]) AND (cardinality(events) > 0))),
  constraint coin_subscription_kind_check CHECK ((kind = ANY (ARRAY['address'::text, 'wallet'::text, 'transaction'::text]))),
  constraint coin_subscription_pkey PRIMARY KEY (id),
  constraint coin_subscription_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES kept_wallet(id) ON DELETE CASCADE
);

-- A subscription changed. The process that follows its chain reads it again and deletes the row.
create table coin_subscription_change (
  id bigint generated always as identity not null,
  chain text not null,
  subscription_id bigint not null,
  constraint coin_subscription_change_pkey PRIMARY KEY (id)
);

-- A contract that is watched, or that was discovered as the controller of one.
create table contract (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  kind text default 'unknown'::text not null,
  name text,
  protocol_id bigint,
  implementation bytea,
  admin bytea,
  owner bytea,
  verified boolean default false not null,
  source text not null,
  metadata jsonb default '{}'::jsonb not null,
  first_seen_at timestamp with time zone default now() not null,
  last_checked_at timestamp with time zone,
  edited text[] default '{}'::text[] not null,
  watch_state text default 'new'::text not null,
  added_by text,
  unreferenced_since timestamp with time zone,
  constraint contract_added_by_fkey FOREIGN KEY (added_by) REFERENCES user_account(id) ON DELETE SET NULL,
  constraint contract_address_check CHECK ((octet_length(address) = 20)),
  constraint contract_chain_id_address_key UNIQUE (chain_id, address),
  constraint contract_pkey PRIMARY KEY (id),
  constraint contract_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES protocol(id),
  constraint contract_source_check CHECK ((source = ANY (ARRAY['seed'::text, 'manual'::text, 'discovered'::text]))),
  constraint contract_watch_state_check CHECK ((watch_state = ANY (ARRAY['new'::text, 'changed'::text, 'watched'::text, 'expiring'::text, 'expired'::text]))),
  constraint note_contract_change TRIGGER DEFERRABLE INITIALLY DEFERRED
);

-- The position of the last change of a contract other than its events; chain 0 stands for all contracts.
create table contract_change (
  chain_id integer not null,
  address bytea not null,
  "position" bigint not null,
  constraint contract_change_pkey PRIMARY KEY (chain_id, address)
);

-- A check of a contract that a visitor requested, with its result. Kept for a day.
create table contract_check (
  chain_id integer not null,
  address bytea not null,
  requested_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  checked_at timestamp with time zone,
  result jsonb,
  constraint contract_check_pkey PRIMARY KEY (chain_id, address)
);

-- A contract and one address that controls it, by its last poll.
create table contract_controller (
  chain_id integer not null,
  address bytea not null,
  controller_chain_id integer not null,
  controller bytea not null,
  is_logic boolean not null,
  constraint contract_controller_pkey PRIMARY KEY (chain_id, address, controller_chain_id, controller),
  constraint note_contract_change TRIGGER DEFERRABLE INITIALLY DEFERRED
);

-- When a contract got its code. Read once from a node; a reorg removes what the rolled-back blocks showed.
create table contract_creation (
  chain_id integer not null,
  address bytea not null,
  absent_until bigint,
  present_from bigint,
  tx_hash bytea,
  constraint contract_creation_pkey PRIMARY KEY (chain_id, address)
);

-- A decoded event of a contract, or a change of its state that a poll found.
create table control_event (
  id bigint default nextval('control_event_id'::regclass) not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  chain_id integer not null,
  log_index integer not null,
  kind_id smallint not null,
  category_id smallint not null,
  severity smallint not null,
  feed_key smallint generated always as (((((6 * category_id) + (3 * (is_init)::integer)) + severity))::smallint) stored not null,
  is_init boolean not null,
  announced boolean not null,
  is_derived boolean default false not null,
  tx_hash bytea not null,
  publication_id bigint default nextval('publication_id'::regclass) not null,
  address bytea not null,
  subject bytea,
  args json not null,
  constraint control_event_severity_check CHECK (((severity >= 0) AND (severity <= 2)))
) partition by RANGE (block_time);

-- The powers over a contract since one block. A contract has a row for each change, and the next poll is compared with the last row, so that a reorg neither hides nor invents a change.
create table control_powers (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea not null,
  powers text[] not null,
  constraint control_powers_address_check CHECK ((octet_length(address) = 20)),
  constraint control_powers_pkey PRIMARY KEY (id, chain_id)
);

-- Who controls a contract, by its last poll.
create table control_profile (
  chain_id integer not null,
  address bytea not null,
  label text not null,
  kind text not null,
  stale boolean not null,
  stale_since timestamp with time zone,
  reasons json not null,
  tree json not null,
  block_number bigint not null,
  updated_at timestamp with time zone default now() not null,
  tone text,
  powers json,
  led_by text,
  power_paths json,
  trials json,
  constraint control_profile_address_check CHECK ((octet_length(address) = 20)),
  constraint control_profile_label_check CHECK ((label = ANY (ARRAY['immutable'::text, 'single_key'::text, 'multisig'::text, 'timelocked'::text, 'short_timelock'::text, 'unknown'::text]))),
  constraint control_profile_led_by_check CHECK ((led_by = ANY (ARRAY['vote'::text, 'vote_or_multisig'::text]))),
  constraint control_profile_pkey PRIMARY KEY (chain_id, address),
  constraint control_profile_tone_check CHECK ((tone = ANY (ARRAY['green'::text, 'amber'::text, 'red'::text, 'grey'::text]))),
  constraint note_changed_profile TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint note_stored_profile TRIGGER DEFERRABLE INITIALLY DEFERRED
);

-- A change of the label of a contract, with its cause.
create table control_profile_change (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea,
  changed_at timestamp with time zone default now() not null,
  from_label text,
  to_label text not null,
  cause json not null,
  from_tone text,
  to_tone text,
  from_led_by text,
  to_led_by text,
  constraint control_profile_change_pkey PRIMARY KEY (id, chain_id)
);

-- The state of a contract since one block. A poll that finds the same state updates `polled_*` of the last row, so that a contract has a row for each change.
create table control_snapshot (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea not null,
  block_time timestamp with time zone,
  taken_at timestamp with time zone default now() not null,
  polled_block bigint not null,
  polled_hash bytea,
  polled_at timestamp with time zone default now() not null,
  fields jsonb not null,
  first_log_blocks jsonb,
  single_observations jsonb,
  disagreements jsonb,
  constraint control_snapshot_address_check CHECK ((octet_length(address) = 20)),
  constraint control_snapshot_pkey PRIMARY KEY (id, chain_id)
);

-- A way to sign in to an account: its password or an external provider's account.
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

-- An event that a subscription reports to a channel, and the message that contains it.
create table delivery (
  id bigint generated always as identity not null,
  account_id text not null,
  subscription_id bigint not null,
  event_id bigint not null,
  channel text not null,
  message_id bigint not null,
  created_at timestamp with time zone default now() not null,
  cancelled_at timestamp with time zone,
  cancelled_because text,
  constraint delivery_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint delivery_event_id_fkey FOREIGN KEY (event_id) REFERENCES alert_event(id),
  constraint delivery_message_id_fkey FOREIGN KEY (message_id) REFERENCES alert_message(id) ON DELETE CASCADE,
  constraint delivery_pkey PRIMARY KEY (id),
  constraint delivery_subscription_id_event_id_channel_key UNIQUE (subscription_id, event_id, channel)
);

-- While it has a row, no alert and no callback is sent.
create table delivery_hold (
  only_row boolean default true not null,
  reason text not null,
  since timestamp with time zone default now() not null,
  constraint delivery_hold_only_row_check CHECK (only_row),
  constraint delivery_hold_pkey PRIMARY KEY (only_row)
);

-- How many blocks an endpoint accepts in one eth_getLogs request, as its refusals showed.
create table endpoint_limit (
  chain_id integer not null,
  host text not null,
  filter text not null,
  size double precision not null,
  ceiling bigint,
  constraint endpoint_limit_filter_check CHECK ((filter = ANY (ARRAY['addresses'::text, 'chainwide'::text]))),
  constraint endpoint_limit_pkey PRIMARY KEY (chain_id, host, filter)
);

-- A category of events. A new one is a new row; ids never change, because events and the feed index hold them.
create table event_category (
  id smallint not null,
  name text not null,
  constraint event_category_name_key UNIQUE (name),
  constraint event_category_pkey PRIMARY KEY (id)
);

-- How many events of one kind a contract has, and how many of them are setup.
create table event_count (
  chain_id integer not null,
  address bytea not null,
  kind_id smallint not null,
  total bigint not null,
  init bigint not null,
  constraint event_count_pkey PRIMARY KEY (chain_id, address, kind_id)
);

-- How many events other than setup a contract had in one hour of the last 31 days. A window of 30 days starts within an hour, whose events are counted one by one.
create table event_count_hour (
  chain_id integer not null,
  address bytea not null,
  hour timestamp with time zone not null,
  events integer not null,
  critical integer not null,
  constraint event_count_hour_pkey PRIMARY KEY (chain_id, address, hour)
);

-- A change of counts that is not merged yet; negative for retracted events.
create table event_count_pending (
  chain_id integer not null,
  address bytea not null,
  kind_id smallint not null,
  hour timestamp with time zone not null,
  total integer not null,
  init integer not null,
  critical integer not null,
  last_time timestamp with time zone not null,
  last_id bigint not null
);

-- A kind of event: its key in one category. A key that a later catalog moves to another category is a new kind.
create table event_kind (
  id smallint generated always as identity not null,
  key text not null,
  category text not null,
  constraint event_kind_category_fkey FOREIGN KEY (category) REFERENCES event_category(name),
  constraint event_kind_key_category_key UNIQUE (key, category),
  constraint event_kind_pkey PRIMARY KEY (id),
  constraint note_changed_kind TRIGGER DEFERRABLE INITIALLY DEFERRED
);

-- A wallet that an account keeps.
create table kept_wallet (
  id uuid not null,
  account_id text not null,
  chain text not null,
  content text not null,
  gap_limit integer not null,
  created_at timestamp with time zone not null,
  labels text,
  constraint kept_wallet_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint kept_wallet_chain_check CHECK ((chain = ANY (ARRAY['btc'::text, 'ltc'::text]))),
  constraint kept_wallet_pkey PRIMARY KEY (id)
);

-- The newest event of a contract, setup included; nulls if all were retracted.
create table last_event (
  chain_id integer not null,
  address bytea not null,
  block_time timestamp with time zone,
  event_id bigint,
  kind_id smallint,
  constraint last_event_pkey PRIMARY KEY (chain_id, address)
);

-- A task that only one process may do at a time, and the process that holds it.
create table lease (
  name text not null,
  holder text not null,
  fence bigint not null,
  expires_at timestamp with time zone not null,
  constraint lease_pkey PRIMARY KEY (name)
);

-- A change that an operator made: who, when, what, and the values before and after.
create table operator_change (
  id bigint generated always as identity not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  constraint operator_change_pkey PRIMARY KEY (id)
);

-- A change that is queued, or was, in a timelock, governor, delay module or Safe.
create table pending_operation (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  operation text not null,
  family text not null,
  state text not null,
  severity smallint not null,
  queued_at timestamp with time zone not null,
  queued_block bigint,
  queued_tx bytea,
  queued_by bytea,
  earliest_at timestamp with time zone,
  expires_at timestamp with time zone,
  closed_at timestamp with time zone,
  closed_tx bytea,
  calls json not null,
  call_count integer not null,
  confirmed_by bytea[],
  threshold integer,
  is_listed boolean default false not null,
  read_at timestamp with time zone,
  due_event_id bigint,
  nonce bigint,
  missing_by bytea[],
  is_rejection boolean default false not null,
  queued_event_id bigint,
  ready_event_id bigint,
  call_digests bytea[] default '{}'::bytea[] not null,
  part_of bigint,
  execution json,
  trial json,
  tried_at timestamp with time zone,
  constraint note_contract_change TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint pending_operation_address_check CHECK ((octet_length(address) = 20)),
  constraint pending_operation_chain_id_address_operation_key UNIQUE (chain_id, address, operation),
  constraint pending_operation_part_of_fkey FOREIGN KEY (part_of) REFERENCES pending_operation(id) ON DELETE SET NULL,
  constraint pending_operation_pkey PRIMARY KEY (id),
  constraint pending_operation_severity_check CHECK (((severity >= 0) AND (severity <= 2))),
  constraint pending_operation_state_check CHECK ((state = ANY (ARRAY['proposed'::text, 'queued'::text, 'executed'::text, 'failed'::text, 'canceled'::text, 'replaced'::text, 'expired'::text, 'defeated'::text])))
);

-- The publication up to which the steps of operations were read.
create table pending_reader (
  id smallint not null,
  "position" bigint not null,
  entry bigint,
  constraint pending_reader_id_check CHECK ((id = 1)),
  constraint pending_reader_pkey PRIMARY KEY (id)
);

-- An event that proposed, queued, executed or canceled an operation.
create table pending_step (
  operation_id bigint not null,
  event_id bigint not null,
  phase text not null,
  severity smallint not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  log_index integer not null,
  tx_hash bytea not null,
  queued_by bytea,
  ready_at timestamp with time zone,
  calls json not null,
  call_count integer not null,
  call_digests bytea default '\x'::bytea not null,
  constraint pending_step_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES pending_operation(id) ON DELETE CASCADE,
  constraint pending_step_phase_check CHECK ((phase = ANY (ARRAY['proposed'::text, 'queued'::text, 'executed'::text, 'canceled'::text]))),
  constraint pending_step_pkey PRIMARY KEY (operation_id, event_id)
);

-- An address that a queued operation calls, changes or passes on, and the code it had.
create table pending_target (
  operation_id bigint not null,
  chain_id integer not null,
  address bytea not null,
  is_affected boolean not null,
  code_hash bytea,
  implementation bytea,
  changed_code_hash bytea,
  changed_event_id bigint,
  implementation_hash bytea,
  constraint note_contract_change TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint pending_target_address_check CHECK ((octet_length(address) = 20)),
  constraint pending_target_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES pending_operation(id) ON DELETE CASCADE,
  constraint pending_target_pkey PRIMARY KEY (operation_id, address)
);

-- A poll to make soon. Stored in the transaction of its event and deleted in that of the poll, so that a crash between the two loses nothing.
create table poll_request (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  event_chain_id integer,
  block_number bigint,
  tx_hash bytea,
  log_index integer,
  event_key text,
  not_before timestamp with time zone default now() not null,
  constraint poll_request_chain_id_address_event_chain_id_tx_hash_log_in_key UNIQUE (chain_id, address, event_chain_id, tx_hash, log_index),
  constraint poll_request_pkey PRIMARY KEY (id)
);

-- An account that holds a power over a contract, or signs for a multisig, by the last complete poll.
create table power_holder (
  holder_chain_id integer not null,
  holder bytea not null,
  chain_id integer not null,
  address bytea not null,
  effect text not null,
  class text not null,
  role text not null,
  delay_seconds bigint not null,
  threshold integer,
  constraint power_holder_class_check CHECK ((class = ANY (ARRAY['critical'::text, 'high'::text, 'info'::text]))),
  constraint power_holder_pkey PRIMARY KEY (holder_chain_id, holder, chain_id, address, effect)
);

-- A process of the service and its roles, so that a role without a process is noticed.
create table process (
  id uuid not null,
  host text not null,
  pid integer not null,
  version text not null,
  roles text[] not null,
  faults jsonb default '[]'::jsonb not null,
  started_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  stopped_at timestamp with time zone,
  constraint process_pkey PRIMARY KEY (id)
);

-- A contract whose state was read for the profile of another contract.
create table profile_source (
  source_chain_id integer not null,
  source bytea not null,
  chain_id integer not null,
  address bytea not null,
  constraint profile_source_pkey PRIMARY KEY (source_chain_id, source, chain_id, address)
);

-- Who controls a contract since one block, as polls found it. A contract has a row for each change.
create table profile_version (
  id bigint generated always as identity not null,
  chain_id integer not null,
  address bytea not null,
  block_number bigint not null,
  block_hash bytea not null,
  recorded_at timestamp with time zone default now() not null,
  digest bytea not null,
  label text not null,
  tone text not null,
  led_by text,
  kind text not null,
  stale boolean not null,
  reasons json not null,
  tree json not null,
  powers json,
  power_paths json,
  constraint profile_version_address_check CHECK ((octet_length(address) = 20)),
  constraint profile_version_pkey PRIMARY KEY (id, chain_id)
);

-- A protocol that contracts belong to.
create table protocol (
  id bigint generated always as identity not null,
  label text not null,
  slug text not null,
  seed_label text,
  constraint note_renamed_protocol TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint protocol_pkey PRIMARY KEY (id),
  constraint protocol_seed_label_key UNIQUE (seed_label),
  constraint protocol_slug_key UNIQUE (slug)
);

-- The events that one statement stored or retracted, and their position in publication order.
create table publication (
  id bigint not null,
  "position" bigint,
  events integer not null,
  first_time timestamp with time zone not null,
  last_time timestamp with time zone not null,
  constraint publication_pkey PRIMARY KEY (id),
  constraint publication_position_key UNIQUE ("position"),
  constraint set_publication_position TRIGGER DEFERRABLE INITIALLY DEFERRED
);

-- A call that waits in a timelock or for a vote, and a contract it is about: an execution or cancellation has only the operation.
create table queued_call (
  chain_id integer not null,
  address bytea not null,
  operation text not null,
  about bytea not null,
  severity smallint not null,
  block_number bigint not null,
  log_index integer not null,
  constraint queued_call_pkey PRIMARY KEY (chain_id, address, operation, about, block_number, log_index)
);

-- The requests of one subject (an API key, a network that signs in) in its sliding window and in the current month.
create table request_counter (
  subject text not null,
  window_times bigint[] not null,
  window_counts integer[] not null,
  window_used integer not null,
  month date not null,
  month_used bigint not null,
  last_at timestamp with time zone not null,
  month_returned bigint default 0 not null,
  constraint request_counter_pkey PRIMARY KEY (subject)
) with (fillfactor=50);

-- The same of one UTC day.
create table request_day (
  starts_at timestamp with time zone not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text not null,
  status smallint not null,
  code text not null,
  latency_bucket smallint not null,
  requests bigint not null,
  bytes bigint not null,
  latency_us bigint not null,
  constraint request_day_pkey PRIMARY KEY (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket)
) with (fillfactor=70);

-- The requests of one hour that agree in key, endpoint, chain, status, code and latency bucket. Updated in the transaction that writes the log.
create table request_hour (
  starts_at timestamp with time zone not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text not null,
  status smallint not null,
  code text not null,
  latency_bucket smallint not null,
  requests bigint not null,
  bytes bigint not null,
  latency_us bigint not null,
  constraint request_hour_pkey PRIMARY KEY (account_id, starts_at, key_id, endpoint, chain, status, code, latency_bucket)
) with (fillfactor=70);

-- An entry of the request log: one request with a known API key.
create table request_log (
  at timestamp with time zone not null,
  request_id text not null,
  account_id text not null,
  key_id uuid not null,
  endpoint text not null,
  chain text,
  status smallint not null,
  code text,
  latency_us integer not null,
  bytes integer not null,
  network cidr
) partition by RANGE (at);

-- A process that writes the log, and the number of its last stored batch: a batch whose commit is unknown is sent again under its number, and stored once.
create table request_log_writer (
  id uuid not null,
  last_batch bigint not null,
  last_at timestamp with time zone not null,
  constraint request_log_writer_pkey PRIMARY KEY (id)
);

-- An event as it was when a rollback deleted it. `retraction_id` is the publication that reports the retraction.
create table retracted_event (
  retraction_id bigint not null,
  entry_id bigint default nextval('control_event_id'::regclass) not null,
  id bigint not null,
  block_number bigint not null,
  block_time timestamp with time zone not null,
  chain_id integer not null,
  log_index integer not null,
  kind_id smallint not null,
  category_id smallint not null,
  severity smallint not null,
  feed_key smallint not null,
  is_init boolean not null,
  announced boolean not null,
  is_derived boolean not null,
  tx_hash bytea not null,
  publication_id bigint not null,
  address bytea not null,
  subject bytea,
  args json not null,
  constraint retracted_event_pkey PRIMARY KEY (retraction_id, entry_id)
);

-- The worst class of the functions that a role opens, by the last complete poll of the contract that has the functions.
create table role_weight (
  chain_id integer not null,
  book bytea not null,
  role text not null,
  address bytea not null,
  class text not null,
  constraint role_weight_class_check CHECK ((class = ANY (ARRAY['critical'::text, 'high'::text, 'info'::text]))),
  constraint role_weight_pkey PRIMARY KEY (chain_id, book, role, address)
);

-- When the transactions of a Safe were last requested from the Safe Transaction Service of its chain.
create table safe_queue (
  chain_id integer not null,
  address bytea not null,
  read_at timestamp with time zone not null,
  constraint safe_queue_address_check CHECK ((octet_length(address) = 20)),
  constraint safe_queue_pkey PRIMARY KEY (chain_id, address)
);

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  breaks_older boolean default false not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

-- A signed-in browser of an account.
create table session (
  id text not null,
  account_id text not null,
  token text not null,
  expires_at timestamp with time zone not null,
  ip_address text,
  user_agent text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  constraint session_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_token_key UNIQUE (token)
);

-- A key pair that signs access tokens.
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

-- Whether Sourcify has the source of the code at an address. A poll that finds other code there requests a new check.
create table source_check (
  chain_id integer not null,
  address bytea not null,
  code_hash bytea not null,
  published boolean,
  checked_at timestamp with time zone,
  check_at timestamp with time zone,
  constraint note_contract_change TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint source_check_pkey PRIMARY KEY (chain_id, address)
);

-- A subscription of an account to a contract or to a protocol. One to a protocol has a child row for each contract of it, with the same settings; events are matched with the rows that have an address.
create table subscription (
  id bigint generated always as identity not null,
  account_id text not null,
  parent_id bigint,
  protocol_id bigint,
  chain_id integer,
  address bytea,
  min_severity smallint not null,
  include_controllers boolean not null,
  created_at timestamp with time zone default now() not null,
  paused_at timestamp with time zone,
  channels text[] not null,
  power_effects text[] default '{}'::text[] not null,
  alert_at text,
  categories text[] default '{}'::text[] not null,
  event_keys text[] default '{}'::text[] not null,
  queued_changes boolean default false not null,
  constraint subscription_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint subscription_address_check CHECK ((octet_length(address) = 20)),
  constraint subscription_alert_at_check CHECK ((alert_at = ANY (ARRAY['head'::text, 'confirmed'::text]))),
  constraint subscription_check CHECK ((((protocol_id IS NULL) = (address IS NOT NULL)) AND ((address IS NULL) = (chain_id IS NULL)))),
  constraint subscription_check1 CHECK (((parent_id IS NULL) OR (protocol_id IS NULL))),
  constraint subscription_min_severity_check CHECK (((min_severity >= 0) AND (min_severity <= 2))),
  constraint subscription_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES subscription(id) ON DELETE CASCADE,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_protocol_id_fkey FOREIGN KEY (protocol_id) REFERENCES protocol(id) ON DELETE CASCADE
);

-- The secret of the one-time codes (TOTP) of an account, and its backup codes.
create table two_factor (
  id text not null,
  account_id text not null,
  secret text not null,
  backup_codes text not null,
  verified boolean default false not null,
  failed_verification_count integer default 0 not null,
  locked_until timestamp with time zone,
  constraint two_factor_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint two_factor_account_id_key UNIQUE (account_id),
  constraint two_factor_pkey PRIMARY KEY (id)
);

-- An account: its name, e-mail address and plans.
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
  two_factor_enabled boolean default false not null,
  constraint user_account_email_key UNIQUE (email),
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_plan_check CHECK ((plan = ANY (ARRAY['free'::text, 'team'::text]))),
  constraint user_account_utxo_plan_check CHECK ((utxo_plan = ANY (ARRAY['basic'::text, 'pro'::text, 'enterprise'::text])))
);

-- A pending proof: an e-mail address to verify, a password to reset, a message to sign.
create table verification (
  id text not null,
  identifier text not null,
  value text not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint verification_pkey PRIMARY KEY (id)
);

-- An Ethereum address that may sign in to an account.
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

-- A process that watches, and the chains it can watch: processes divide the chains among themselves. A row that was not updated for some seconds does not count.
create table watch_process (
  holder text not null,
  chain_ids integer[] not null,
  seen_at timestamp with time zone default now() not null,
  constraint watch_process_pkey PRIMARY KEY (holder)
);

-- The secret that signs the webhooks of an account. It stays when the URL changes.
create table webhook_secret (
  account_id text not null,
  secret text not null,
  previous text,
  previous_until timestamp with time zone,
  constraint webhook_secret_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint webhook_secret_pkey PRIMARY KEY (account_id)
);

CREATE INDEX alert_event_by_block ON public.alert_event USING btree (chain_id, block_number);

CREATE INDEX alert_event_unconfirmed ON public.alert_event USING btree (chain_id) WHERE ((confirmed_at IS NULL) AND (retracted_at IS NULL));

CREATE UNIQUE INDEX alert_message_collecting ON public.alert_message USING btree (channel_id, collects_until) WHERE (collects_until IS NOT NULL);

CREATE INDEX alert_message_open ON public.alert_message USING btree (channel, channel_id, next_at, id) WHERE (next_at IS NOT NULL);

CREATE INDEX alert_message_retracts ON public.alert_message USING btree (retracts) WHERE (retracts IS NOT NULL);

CREATE UNIQUE INDEX alert_message_uid ON public.alert_message USING btree (uid);

CREATE INDEX analysis_batch_account ON public.analysis_batch USING btree (account_id);

CREATE INDEX analysis_batch_age ON public.analysis_batch USING btree (completed_at);

CREATE INDEX analysis_batch_callback ON public.analysis_batch USING btree (webhook_next_at) WHERE (webhook_next_at IS NOT NULL);

CREATE INDEX analysis_batch_waiting ON public.analysis_batch USING btree (created_at) WHERE (status <> 'completed'::text);

CREATE INDEX api_key_account_id ON public.api_key USING btree (account_id, api, created_at);

CREATE INDEX backfill_job_open ON public.backfill_job USING btree (chain_id, id) WHERE (phase <> 'done'::text);

CREATE UNIQUE INDEX code_change_latest ON public.code_change USING btree (chain_id, address, block_number DESC, id DESC);

CREATE INDEX coin_event_by_time ON public.coin_event USING btree (created_at);

CREATE INDEX coin_event_hour_by_time ON public.coin_event_hour USING btree (hour);

CREATE INDEX coin_event_of_account ON public.coin_event USING btree (account_id, "position");

CREATE INDEX coin_event_retracted ON public.coin_event USING btree (account_id, retracted_position) WHERE (retracted_position IS NOT NULL);

CREATE UNIQUE INDEX coin_event_that_holds ON public.coin_event USING btree (subscription_id, kind, txid) WHERE (retracted_at IS NULL);

CREATE INDEX coin_subscription_of_account ON public.coin_subscription USING btree (account_id, id);

CREATE INDEX coin_subscription_of_wallet ON public.coin_subscription USING btree (wallet_id) WHERE (wallet_id IS NOT NULL);

CREATE INDEX contract_added_by ON public.contract USING btree (added_by) WHERE (added_by IS NOT NULL);

CREATE INDEX contract_change_by_position ON public.contract_change USING btree ("position");

CREATE INDEX contract_check_waiting ON public.contract_check USING btree (requested_at) WHERE (checked_at IS NULL);

CREATE INDEX contract_controller_by ON public.contract_controller USING btree (controller_chain_id, controller);

CREATE INDEX contract_of_protocol ON public.contract USING btree (protocol_id);

CREATE INDEX contract_pending ON public.contract USING btree (chain_id) WHERE (watch_state = ANY (ARRAY['new'::text, 'changed'::text, 'expiring'::text]));

CREATE INDEX control_event_by_time ON ONLY public.control_event USING btree (block_time, id);

CREATE UNIQUE INDEX control_event_derived ON ONLY public.control_event USING btree (chain_id, tx_hash, log_index, block_time) WHERE is_derived;

CREATE INDEX control_event_feed ON ONLY public.control_event USING btree (feed_key, chain_id, block_time, id);

CREATE UNIQUE INDEX control_event_log ON ONLY public.control_event USING btree (chain_id, block_number, log_index, block_time) WHERE (NOT is_derived);

CREATE INDEX control_event_of_address ON ONLY public.control_event USING btree (address, chain_id, block_time, id);

CREATE INDEX control_event_of_address_kind ON ONLY public.control_event USING btree (address, chain_id, kind_id, feed_key, block_time DESC, ((- id)));

CREATE INDEX control_event_of_kind ON ONLY public.control_event USING btree (kind_id, feed_key, chain_id, block_time, id);

CREATE INDEX control_event_of_publication ON ONLY public.control_event USING btree (publication_id, id);

CREATE INDEX control_event_of_tx ON ONLY public.control_event USING brin (tx_hash bytea_bloom_ops (false_positive_rate='0.001')) WITH (autosummarize='on');

CREATE UNIQUE INDEX control_powers_latest ON public.control_powers USING btree (chain_id, address, block_number DESC, id DESC);

CREATE INDEX control_profile_change_of ON public.control_profile_change USING btree (chain_id, address, id);

CREATE INDEX control_snapshot_disagreement ON public.control_snapshot USING btree (chain_id, address) WHERE (disagreements IS NOT NULL);

CREATE INDEX control_snapshot_implementation ON public.control_snapshot USING btree (chain_id, COALESCE((fields ->> 'implementation'::text), (fields ->> 'beaconImplementation'::text))) WHERE (COALESCE((fields ->> 'implementation'::text), (fields ->> 'beaconImplementation'::text)) IS NOT NULL);

CREATE UNIQUE INDEX control_snapshot_latest ON public.control_snapshot USING btree (chain_id, address, block_number DESC, id DESC);

CREATE INDEX credential_account_id ON public.credential USING btree (account_id);

CREATE INDEX delivery_of_account ON public.delivery USING btree (account_id, id);

CREATE INDEX delivery_of_event ON public.delivery USING btree (event_id);

CREATE INDEX delivery_of_message ON public.delivery USING btree (message_id);

CREATE INDEX event_count_hour_old ON public.event_count_hour USING btree (hour);

CREATE INDEX event_count_pending_of ON public.event_count_pending USING btree (chain_id, address);

CREATE INDEX kept_wallet_account ON public.kept_wallet USING btree (account_id, created_at);

CREATE INDEX pending_operation_announced ON public.pending_operation USING btree (due_event_id) WHERE (due_event_id IS NOT NULL);

CREATE INDEX pending_operation_closed ON public.pending_operation USING btree (closed_at DESC, id DESC) WHERE (is_listed AND (state <> ALL (ARRAY['proposed'::text, 'queued'::text])));

CREATE INDEX pending_operation_due ON public.pending_operation USING btree (earliest_at) WHERE (is_listed AND (state = 'queued'::text) AND (due_event_id IS NULL));

CREATE INDEX pending_operation_of_safe ON public.pending_operation USING btree (chain_id, address, nonce) WHERE (family = 'safe'::text);

CREATE INDEX pending_operation_of_transaction ON public.pending_operation USING btree (chain_id, queued_tx) WHERE (queued_tx IS NOT NULL);

CREATE INDEX pending_operation_open ON public.pending_operation USING btree (COALESCE(earliest_at, 'infinity'::timestamp with time zone), id) WHERE (is_listed AND (state = ANY (ARRAY['proposed'::text, 'queued'::text])));

CREATE INDEX pending_operation_parts ON public.pending_operation USING btree (part_of) WHERE (part_of IS NOT NULL);

CREATE INDEX pending_operation_reported ON public.pending_operation USING btree (queued_event_id) WHERE (queued_event_id IS NOT NULL);

CREATE INDEX pending_operation_reported_ready ON public.pending_operation USING btree (ready_event_id) WHERE (ready_event_id IS NOT NULL);

CREATE INDEX pending_operation_unread ON public.pending_operation USING btree (chain_id, read_at NULLS FIRST, id) WHERE (state = ANY (ARRAY['proposed'::text, 'queued'::text]));

CREATE INDEX pending_operation_untried ON public.pending_operation USING btree (chain_id, tried_at NULLS FIRST, id) WHERE (is_listed AND (state = ANY (ARRAY['proposed'::text, 'queued'::text])));

CREATE INDEX pending_step_of_event ON public.pending_step USING btree (event_id);

CREATE INDEX pending_target_of ON public.pending_target USING btree (chain_id, address, operation_id);

CREATE INDEX pending_target_warned ON public.pending_target USING btree (changed_event_id) WHERE (changed_event_id IS NOT NULL);

CREATE INDEX poll_request_next ON public.poll_request USING btree (chain_id, not_before);

CREATE INDEX power_holder_of ON public.power_holder USING btree (chain_id, address);

CREATE INDEX profile_source_of ON public.profile_source USING btree (chain_id, address);

CREATE UNIQUE INDEX profile_version_latest ON public.profile_version USING btree (chain_id, address, block_number DESC, id DESC);

CREATE INDEX protocol_label ON public.protocol USING btree (lower(label));

CREATE INDEX queued_call_by_block ON public.queued_call USING btree (chain_id, block_number);

CREATE INDEX request_day_starts_at_idx ON public.request_day USING btree (starts_at);

CREATE INDEX request_hour_starts_at ON public.request_hour USING btree (starts_at);

CREATE INDEX request_log_account ON ONLY public.request_log USING btree (account_id, at, request_id);

CREATE INDEX request_log_at ON ONLY public.request_log USING btree (at, request_id);

CREATE INDEX role_weight_of ON public.role_weight USING btree (chain_id, address);

CREATE INDEX session_account_id ON public.session USING btree (account_id);

CREATE INDEX source_check_due ON public.source_check USING btree (check_at) WHERE (check_at IS NOT NULL);

CREATE INDEX subscription_by_protocol ON public.subscription USING btree (protocol_id) WHERE (protocol_id IS NOT NULL);

CREATE UNIQUE INDEX subscription_child ON public.subscription USING btree (parent_id, chain_id, address) WHERE (parent_id IS NOT NULL);

CREATE UNIQUE INDEX subscription_manual ON public.subscription USING btree (account_id, chain_id, address) WHERE ((address IS NOT NULL) AND (parent_id IS NULL));

CREATE INDEX subscription_of_account ON public.subscription USING btree (account_id, id);

CREATE INDEX subscription_of_contract ON public.subscription USING btree (chain_id, address) WHERE (address IS NOT NULL);

CREATE UNIQUE INDEX subscription_protocol ON public.subscription USING btree (account_id, protocol_id) WHERE (protocol_id IS NOT NULL);

CREATE INDEX verification_identifier ON public.verification USING btree (identifier);

CREATE INDEX wallet_account_id ON public.wallet USING btree (account_id);

CREATE INDEX wallet_address ON public.wallet USING btree (address);

CREATE OR REPLACE FUNCTION public.add_child_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, categories, event_keys, queued_changes, alert_at, paused_at)
    select new.account_id, new.id, c.chain_id, c.address, new.min_severity, new.channels, new.include_controllers,
      new.power_effects, new.categories, new.event_keys, new.queued_changes, new.alert_at, new.paused_at
    from contract c where c.protocol_id = new.protocol_id order by c.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.add_event_kinds(keys text[], categories text[])
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into event_kind (key, category)
  select distinct k.key, k.category from unnest(keys, categories) as k (key, category)
  where not exists (select from event_kind known where known.key = k.key and known.category = k.category)
  order by k.key, k.category
  on conflict do nothing
$function$
;

CREATE OR REPLACE FUNCTION public.args_before(chain integer, emitter bytea, kinds smallint[], before_time timestamp with time zone, before_number bigint, before_index integer)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  found_args json;
begin
  select e.args into found_args from control_event e
  where e.address = emitter and e.chain_id = chain and e.kind_id = any(kinds) and e.block_time <= before_time
    and (e.block_number, e.log_index) < (before_number, before_index) and not e.is_derived
  order by e.block_time desc, e.id desc limit 1;
  return found_args;
end $function$
;

CREATE OR REPLACE FUNCTION public.cancel_deliveries(ids bigint[], because text)
 RETURNS void
 LANGUAGE sql
AS $function$
  select m.id from alert_message m
  where m.id in (select d.message_id from delivery d where d.id = any(ids)) and m.status in ('pending', 'retrying')
  order by m.id for update;

  with cancelled as (
    update delivery d set cancelled_at = now(), cancelled_because = because
    from alert_message m
    where d.id = any(ids) and m.id = d.message_id and m.status in ('pending', 'retrying') and d.cancelled_at is null
    returning d.id, d.message_id)
  update alert_message m set status = 'cancelled', next_at = null
  where m.id in (select message_id from cancelled) and m.claim is null and m.status in ('pending', 'retrying')
    and not exists (select from delivery d where d.message_id = m.id and d.cancelled_at is null
      and d.id not in (select id from cancelled));
$function$
;

CREATE OR REPLACE FUNCTION public.cancel_deliveries_of_subscription()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform cancel_deliveries(array(select id from delivery where subscription_id = old.id),
    'the subscription was deleted');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.cancel_messages_of_channel()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform cancel_deliveries(array(
      select d.id from delivery d join alert_message m on m.id = d.message_id
      where m.channel = old.kind and m.channel_id = old.id and m.next_at is not null), 'the channel was removed');
  update alert_message set status = 'cancelled', next_at = null, last_error = 'the channel was removed'
    where channel = old.kind and channel_id = old.id and next_at is not null and claim is null;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.collects_until(channel alert_channel, severity smallint, at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  closes_at timestamptz := at + interval '30 seconds';
  due timestamptz;
  wall timestamp;
begin
  if severity <= channel.digest_severity then
    due := to_timestamp((floor(extract(epoch from closes_at) / (60 * channel.digest_minutes)) + 1) * 60 * channel.digest_minutes);
  end if;
  if severity <= channel.quiet_severity then
    wall := coalesce(due, at) at time zone channel.quiet_zone;
    if channel.quiet_from < channel.quiet_to and wall::time >= channel.quiet_from and wall::time < channel.quiet_to
      or channel.quiet_from > channel.quiet_to and wall::time < channel.quiet_to then
      due := (wall::date + channel.quiet_to) at time zone channel.quiet_zone;
    elsif channel.quiet_from > channel.quiet_to and wall::time >= channel.quiet_from then
      due := (wall::date + 1 + channel.quiet_to) at time zone channel.quiet_zone;
    end if;
  end if;
  return case when due <= closes_at then due + interval '1 minute' else due end;
end $function$
;

CREATE OR REPLACE FUNCTION public.contracts_changed_after(after_position bigint, most integer)
 RETURNS TABLE(chain_id integer, address bytea)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
begin
  return query
    (select c.chain_id, c.address from contract_change c where c.position > after_position limit most)
    union all
    (select e.chain_id, e.address
     from (select * from publication p where p.position > after_position order by p.position limit most) as p
     cross join lateral (
       select e.chain_id, e.address from control_event e
       where e.publication_id = p.id and e.block_time between p.first_time and p.last_time
       union all
       select r.chain_id, r.address from retracted_event r where r.retraction_id = p.id) as e
     limit most);
end $function$
;

CREATE OR REPLACE FUNCTION public.count_changed_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  step constant int := case tg_op when 'INSERT' then 1 else -1 end;
  fresh event_count_pending[];
begin
  select array_agg(row(chain_id, address, kind_id, hour, step * total, step * init, step * critical, last_time,
    newest[2])::event_count_pending) into fresh
  from (
    select chain_id, address, kind_id, event_count_hour_of(block_time) as hour, count(*) as total,
      count(*) filter (where is_init) as init, count(*) filter (where severity = 2 and not is_init) as critical,
      max(block_time) as last_time, max(array[date_part('epoch', block_time), id]) as newest
    from changed group by chain_id, address, kind_id, event_count_hour_of(block_time)) as counted;
  if fresh is not null then perform merge_event_counts(fresh); end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_events_of(chain integer, emitter bytea, since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE(events bigint, critical bigint)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    select count(*), count(*) filter (where e.severity = 2) from control_event e
    where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until;
end $function$
;

CREATE OR REPLACE FUNCTION public.event_count_hour_of(block_time timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select case when block_time >= now() - interval '31 days' then date_trunc('hour', block_time, 'UTC') else '-infinity' end
$function$
;

CREATE OR REPLACE FUNCTION public.events_by_id(chain integer, ids bigint[], first_time timestamp with time zone, last_time timestamp with time zone)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE ROWS 10
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    select e.* from control_event e
    where e.chain_id = chain and e.id = any(ids) and e.block_time between first_time and last_time;
end $function$
;

CREATE OR REPLACE FUNCTION public.expire_contracts(marked_before timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  expired int;
begin
  create temporary table referenced on commit drop as
    with recursive reached as (
      select c.chain_id, c.address from contract c
      where c.source <> 'discovered' or c.protocol_id is not null or c.edited <> '{}'
      union
      select s.chain_id, s.address from subscription s where s.address is not null
      union
      select k.controller_chain_id, k.controller from reached r
        join contract_controller k on k.chain_id = r.chain_id and k.address = r.address
    )
    select * from reached;
  create index on referenced (chain_id, address);

  update contract c set unreferenced_since = null
  from referenced r where r.chain_id = c.chain_id and r.address = c.address and c.unreferenced_since is not null;

  with gone as (
    update contract c set watch_state = case c.watch_state when 'new' then 'expired' else 'expiring' end
    where c.unreferenced_since < marked_before and c.watch_state in ('new', 'changed', 'watched')
      and c.source = 'discovered'
    returning c.chain_id, c.address
  ), requests as (
    delete from poll_request p using gone where p.chain_id = gone.chain_id and p.address = gone.address
  ), sources as (
    delete from profile_source p using gone where p.chain_id = gone.chain_id and p.address = gone.address
  ), controllers as (
    delete from contract_controller k using gone where k.chain_id = gone.chain_id and k.address = gone.address
  ), profiles as (
    update control_profile p set stale = true, stale_since = coalesce(p.stale_since, now())
    from gone where p.chain_id = gone.chain_id and p.address = gone.address
  )
  select count(*) into expired from gone;

  update contract c set unreferenced_since = now()
  where c.source = 'discovered' and c.unreferenced_since is null and c.watch_state in ('new', 'changed', 'watched')
    and not exists (select from referenced r where r.chain_id = c.chain_id and r.address = c.address);
  drop table referenced;
  return expired;
end $function$
;

CREATE OR REPLACE FUNCTION public.feed_after(first_position bigint, after_entry bigint, feed_keys smallint[], chains integer[], event_key text, emitter bytea, most integer, read_most integer)
 RETURNS TABLE(is_end boolean, "position" bigint, entry_id bigint, is_retracted boolean, id bigint, block_number bigint, block_time timestamp with time zone, chain_id integer, log_index integer, kind_id smallint, severity smallint, is_init boolean, tx_hash bytea, address bytea, args json)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
#variable_conflict use_column
declare
  kinds constant smallint[] := array(select k.id from event_kind k where k.key = event_key);
begin
  return query
    with following as materialized (
      select p.id, p.position, p.first_time, p.last_time, sum(p.events) over (order by p.position) - p.events as before
      from (select * from publication p where p.position >= first_position order by p.position limit read_most) as p
    ), publications as materialized (
      select f.* from following f where f.before < read_most
    ), entries as materialized (
      select p.position, e.* from publications p cross join lateral (
        (select e.id as entry_id, false as is_retracted, e.id, e.block_number, e.block_time, e.chain_id, e.log_index,
           e.kind_id, e.severity, e.is_init, e.tx_hash, e.address, e.args, e.feed_key
         from control_event e
         where e.publication_id = p.id and e.block_time between p.first_time and p.last_time
           and e.id > case when p.position = first_position then after_entry else 0 end
         order by e.id limit read_most)
        union all
        (select r.entry_id, true, r.id, r.block_number, r.block_time, r.chain_id, r.log_index,
           r.kind_id, r.severity, r.is_init, r.tx_hash, r.address, r.args, r.feed_key
         from retracted_event r
         where r.retraction_id = p.id
           and r.entry_id > case when p.position = first_position then after_entry else 0 end
         order by r.entry_id limit read_most)) as e
      order by p.position, e.entry_id limit read_most
    ), matching as (
      select * from entries e
      where e.feed_key = any(feed_keys) and e.chain_id = any(chains) and (event_key is null or e.kind_id = any(kinds))
        and (emitter is null or e.address = emitter)
      order by e.position, e.entry_id limit most
    )
    select false, m.position, m.entry_id, m.is_retracted, m.id, m.block_number, m.block_time, m.chain_id, m.log_index,
      m.kind_id, m.severity, m.is_init, m.tx_hash, m.address, m.args
    from matching m
    union all
    (select true, p.position, last.entry_id, null::boolean, null::bigint, null::bigint, null::timestamptz, null::int,
       null::int, null::smallint, null::smallint, null::boolean, null::bytea, null::bytea, null::json
     from publications p
     left join lateral (
       select e.position, e.entry_id from entries e order by e.position desc, e.entry_id desc limit 1
     ) as last on last.position = p.position and (select count(*) from entries) = read_most
     order by last.position is null, p.position desc limit 1);
end $function$
;

CREATE OR REPLACE FUNCTION public.feed_page(before_time timestamp with time zone, before_id bigint, feed_keys smallint[], chains integer[], few integer, most integer)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  read_first constant int := 4 * most;
  end_time timestamptz;
  end_id bigint;
  found_first int;
begin
  select e.block_time, e.id into end_time, end_id from control_event e
  where e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
  order by e.block_time desc, e.id desc offset read_first - 1 limit 1;

  return query
    select e.* from control_event e
    where e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
      and e.block_time >= coalesce(end_time, '-infinity')
      and (e.block_time, e.id) >= (coalesce(end_time, '-infinity'), coalesce(end_id, 0))
      and e.feed_key = any(feed_keys) and e.chain_id = any(chains)
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with newest as materialized (
      select f.feed_key, c.chain_id, e.block_time, e.id
      from unnest(feed_keys) as f (feed_key) cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.feed_key = f.feed_key and e.chain_id = c.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, e.id desc limit few) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), scan as (
      select distinct n.feed_key, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $function$
;

CREATE OR REPLACE FUNCTION public.feed_page_of_address(before_time timestamp with time zone, before_id bigint, feed_keys smallint[], chains integer[], few integer, most integer, event_key text, emitter bytea)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  read_first constant int := 8 * most;
  kinds constant smallint[] := array(select k.id from event_kind k where k.key = event_key);
  end_time timestamptz;
  end_id bigint;
  found_first int;
begin
  select e.block_time, e.id into end_time, end_id from unnest(chains) as c (chain_id) cross join lateral (
    select e.block_time, e.id from control_event e
    where e.address = emitter and e.chain_id = c.chain_id
      and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
    order by e.block_time desc, e.id desc limit read_first) as e
  order by e.block_time desc, e.id desc offset read_first - 1 limit 1;

  return query
    select e.* from unnest(chains) as c (chain_id) cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.chain_id = c.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= coalesce(end_time, '-infinity')
        and (e.block_time, e.id) >= (coalesce(end_time, '-infinity'), coalesce(end_id, 0))
        and e.feed_key = any(feed_keys) and (event_key is null or e.kind_id = any(kinds))
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
  get diagnostics found_first = row_count;
  if end_time is null or found_first = most then return; end if;

  return query
    with counted as (
      select t.chain_id, t.kind_id from event_count t where t.address = emitter and t.chain_id = any(chains)
      union
      select p.chain_id, p.kind_id from event_count_pending p where p.address = emitter and p.chain_id = any(chains)
    ), newest as materialized (
      select f.feed_key, counted.chain_id, counted.kind_id, e.block_time, e.id from counted
      join event_kind k on k.id = counted.kind_id join event_category g on g.name = k.category
      join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = emitter and e.kind_id = counted.kind_id and e.feed_key = f.feed_key and e.chain_id = counted.chain_id
          and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        order by e.block_time desc, (-e.id) limit few) as e
      where event_key is null or k.key = event_key
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc
        offset most - found_first - 1 limit 1), '-infinity') as since
    ), scan as (
      select distinct n.feed_key, n.chain_id, n.kind_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = emitter and e.kind_id = scan.kind_id and e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= end_time and (e.block_time, e.id) < (end_time, end_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, (-e.id) limit most - found_first) as e
    order by e.block_time desc, e.id desc limit most - found_first;
end $function$
;

CREATE OR REPLACE FUNCTION public.feed_page_of_key(before_time timestamp with time zone, before_id bigint, feed_keys smallint[], chains integer[], few integer, most integer, event_key text)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    with newest as materialized (
      select k.id as kind_id, f.feed_key, c.chain_id, e.block_time, e.id
      from event_kind k join event_category g on g.name = k.category
      join unnest(feed_keys) as f (feed_key) on f.feed_key / 6 = g.id cross join unnest(chains) as c (chain_id)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.kind_id = k.id and e.feed_key = f.feed_key and e.chain_id = c.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit few) as e
      where k.key = event_key
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), scan as (
      select distinct n.kind_id, n.feed_key, n.chain_id from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.kind_id = scan.kind_id and e.feed_key = scan.feed_key and e.chain_id = scan.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $function$
;

CREATE OR REPLACE FUNCTION public.feed_upper_bound(before timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  next_year constant timestamptz := date_trunc('year', now(), 'UTC') + interval '1 year';
begin
  if before <= next_year or exists (select from control_event where block_time >= next_year) then return before; end if;
  return next_year;
end $function$
;

CREATE OR REPLACE FUNCTION public.first_event_time_of(chain integer, emitter bytea, since timestamp with time zone, until timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (select min(e.block_time) from control_event e
    where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until);
end $function$
;

CREATE OR REPLACE FUNCTION public.is_credible_target(chain integer, emitter bytea, target bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from contract c where c.chain_id = chain and c.address = emitter and c.source in ('seed', 'manual'))
    or exists (
      select from contract_controller k
      where k.chain_id = chain and k.address = target and k.controller_chain_id = chain and k.controller = emitter)
$function$
;

CREATE OR REPLACE FUNCTION public.is_listed_operation(chain integer, emitter bytea)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select exists (select from contract c where c.chain_id = chain and c.address = emitter and c.source in ('seed', 'manual'))
    or exists (
      select from contract_controller k join contract c on c.chain_id = k.chain_id and c.address = k.address
      where k.controller_chain_id = chain and k.controller = emitter and c.source in ('seed', 'manual'))
$function$
;

CREATE OR REPLACE FUNCTION public.last_event_of(chain integer, emitter bytea)
 RETURNS TABLE(block_time timestamp with time zone, event_id bigint, kind_id smallint)
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    select e.block_time, e.id, e.kind_id from control_event e where e.chain_id = chain and e.address = emitter
    order by e.block_time desc, e.id desc limit 1;
end $function$
;

CREATE OR REPLACE FUNCTION public.listed_operation(operation bigint, proposal bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce((select p.id from pending_operation p where p.id = proposal and p.is_listed), operation)
$function$
;

CREATE OR REPLACE FUNCTION public.mark_contract_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.kind is distinct from old.kind and new.watch_state = 'watched' then new.watch_state := 'changed'; end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.merge_event_counts(fresh event_count_pending[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if not pg_try_advisory_xact_lock(7438031) then
    insert into event_count_pending select * from unnest(fresh);
    return;
  end if;
  -- A statement of its own sees all that the last holder of the lock has committed.
  with pending as (
    delete from event_count_pending returning *
  ), change as (
    select * from pending union all select * from unnest(fresh)
  ), by_kind as (
    insert into event_count as known (chain_id, address, kind_id, total, init)
    select chain_id, address, kind_id, sum(total), sum(init) from change group by chain_id, address, kind_id
    on conflict (chain_id, address, kind_id) do update
      set total = known.total + excluded.total, init = known.init + excluded.init
  ), by_hour as (
    insert into event_count_hour as known (chain_id, address, hour, events, critical)
    select chain_id, address, hour, sum(total - init), sum(critical) from change
    where hour > '-infinity' group by chain_id, address, hour having sum(total - init) <> 0 or sum(critical) <> 0
    on conflict (chain_id, address, hour) do update
      set events = known.events + excluded.events, critical = known.critical + excluded.critical
  ), touched as (
    select distinct on (chain_id, address) chain_id, address, last_time, last_id, kind_id,
      bool_or(total < 0) over (partition by chain_id, address) as has_retracted
    from change order by chain_id, address, last_time desc, last_id desc
  )
  insert into last_event (chain_id, address, block_time, event_id, kind_id)
  select t.chain_id, t.address,
    case when t.has_retracted then remaining.block_time when known.is_newer then known.block_time else t.last_time end,
    case when t.has_retracted then remaining.event_id when known.is_newer then known.event_id else t.last_id end,
    case when t.has_retracted then remaining.kind_id when known.is_newer then known.kind_id else t.kind_id end
  from touched t
  left join lateral (
    select *, (k.block_time, k.event_id) > (t.last_time, t.last_id) as is_newer from last_event k
    where k.chain_id = t.chain_id and k.address = t.address) as known on true
  -- `offset 0` keeps the condition in front of the call.
  left join lateral (
    select * from last_event_of(t.chain_id, t.address) where t.has_retracted offset 0) as remaining on true
  on conflict (chain_id, address) do update
    set block_time = excluded.block_time, event_id = excluded.event_id, kind_id = excluded.kind_id;
  delete from event_count_hour where hour < now() - interval '32 days';
end $function$
;

CREATE OR REPLACE FUNCTION public.move_child_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    delete from subscription child using subscription parent
    where child.parent_id = parent.id and parent.protocol_id = old.protocol_id
      and child.chain_id = old.chain_id and child.address = old.address;
  end if;
  insert into subscription (account_id, parent_id, chain_id, address, min_severity, channels, include_controllers,
      power_effects, categories, event_keys, queued_changes, alert_at, paused_at)
    select p.account_id, p.id, new.chain_id, new.address, p.min_severity, p.channels, p.include_controllers,
      p.power_effects, p.categories, p.event_keys, p.queued_changes, p.alert_at, p.paused_at
    from subscription p where p.protocol_id = new.protocol_id
    on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.newest_events_of(chains integer[], addresses bytea[], since timestamp with time zone, most integer)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    with newest as materialized (
      select c.chain_id, c.address, e.block_time, e.id from unnest(chains, addresses) as c (chain_id, address)
      cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = c.address and e.chain_id = c.chain_id and e.block_time >= since
        order by e.block_time desc, e.id desc limit 4) as e
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        since) as since
    ), scan as (
      select distinct n.chain_id, n.address from newest n where n.block_time >= (select b.since from bound b)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = scan.address and e.chain_id = scan.chain_id and e.block_time >= (select b.since from bound b)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $function$
;

CREATE OR REPLACE FUNCTION public.note_change_of_all()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform set_contract_changed(0, '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.note_contract_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and tg_nargs > 0 and to_jsonb(old) - tg_argv = to_jsonb(new) - tg_argv then return null; end if;
  if tg_op <> 'INSERT' then perform set_contract_changed(old.chain_id, old.address); end if;
  if tg_op = 'INSERT' or (new.chain_id, new.address) <> (old.chain_id, old.address) then
    perform set_contract_changed(new.chain_id, new.address);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.note_subscription_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    insert into coin_subscription_change (chain, subscription_id) values (old.chain, old.id);
  else
    insert into coin_subscription_change (chain, subscription_id) values (new.chain, new.id);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.note_wallet_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into coin_subscription_change (chain, subscription_id)
    select chain, id from coin_subscription where wallet_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_key_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('key_changed', encode(coalesce(new.hash, old.hash), 'hex'));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.notify_keys_of_account_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('key_changed', encode(hash, 'hex')) from api_key where account_id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.protocol_events(protocol bigint, before_time timestamp with time zone, before_id bigint, most integer)
 RETURNS SETOF control_event
 LANGUAGE plpgsql
 STABLE
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    with newest as materialized (
      select c.chain_id, c.address, e.block_time, e.id from contract c cross join lateral (
        select e.block_time, e.id from control_event e
        where e.address = c.address and e.chain_id = c.chain_id
          and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        order by e.block_time desc, e.id desc limit 4) as e
      where c.protocol_id = protocol
    ), bound as materialized (
      select coalesce((select n.block_time from newest n order by n.block_time desc, n.id desc offset most - 1 limit 1),
        '-infinity') as since
    ), scan as (
      select distinct n.chain_id, n.address from newest n where n.block_time >= (select since from bound)
    )
    select e.* from scan cross join lateral (
      select e.* from control_event e
      where e.address = scan.address and e.chain_id = scan.chain_id
        and e.block_time <= before_time and (e.block_time, e.id) < (before_time, before_id)
        and e.block_time >= (select since from bound)
      order by e.block_time desc, e.id desc limit most) as e
    order by e.block_time desc, e.id desc limit most;
end $function$
;

CREATE OR REPLACE FUNCTION public.publish_retracted_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  retraction constant bigint := nextval('publication_id');
begin
  insert into retracted_event select retraction, nextval('control_event_id'), e.* from changed e order by e.id;
  insert into publication (id, events, first_time, last_time)
  select retraction, count(*), min(block_time), max(block_time) from changed having count(*) > 0;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.publish_stored_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into publication (id, events, first_time, last_time)
  select publication_id, count(*), min(block_time), max(block_time) from changed group by publication_id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.record_copied_events(chain integer, publication bigint)
 RETURNS void
 LANGUAGE sql
AS $function$$function$
;

CREATE OR REPLACE FUNCTION public.recount_events()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  lock table event_count_pending in exclusive mode;
  perform pg_advisory_xact_lock(7438031);
  delete from event_count_pending;
  delete from event_count;
  delete from event_count_hour;
  delete from last_event;
  insert into event_count_pending (chain_id, address, kind_id, hour, total, init, critical, last_time, last_id)
  select chain_id, address, kind_id, event_count_hour_of(block_time), count(*), count(*) filter (where is_init),
    count(*) filter (where severity = 2 and not is_init), max(block_time),
    (max(array[date_part('epoch', block_time), id]))[2]
  from control_event group by chain_id, address, kind_id, event_count_hour_of(block_time);
  perform merge_event_counts('{}');
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_of_operator_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'operator_change is only added to';
end $function$
;

CREATE OR REPLACE FUNCTION public.rename_events(chain integer, emitter bytea, ids bigint[], times timestamp with time zone[], kinds smallint[], categories smallint[], arguments text[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  with renamed as (
    select * from unnest(ids, times, kinds, categories, arguments) as r (id, block_time, kind_id, category_id, args)
  ), gone as (
    delete from control_event e using renamed r
    where e.chain_id = chain and e.address = emitter and e.id = r.id and e.block_time = r.block_time returning e.*
  )
  insert into control_event (publication_id, id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
    subject, kind_id, category_id, severity, is_init, args)
  select (select nextval('publication_id')), g.id, g.chain_id, g.announced, g.block_number, g.block_time, g.tx_hash,
    g.log_index, g.address, g.subject, r.kind_id, r.category_id, g.severity, g.is_init, r.args::json
  from gone g join renamed r on r.id = g.id order by g.id;
end $function$
;

CREATE OR REPLACE FUNCTION public.retract_derived_events(chain integer, emitter bytea, above bigint)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    with retracted as (
      delete from control_event where chain_id = chain and address = emitter and is_derived and block_number > above
      returning id, announced)
    select r.id from retracted r where r.announced order by r.id;
end $function$
;

CREATE OR REPLACE FUNCTION public.retract_events_above(chain integer, above bigint, since timestamp with time zone)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return query
    with retracted as (
      delete from control_event where chain_id = chain and block_number > above and block_time >= since
      returning id, announced)
    select r.id from retracted r where r.announced order by r.id;
end $function$
;

CREATE OR REPLACE FUNCTION public.return_requests(subjects text[], counts integer[], granted_at bigint[], steps integer[], months date[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  counter request_counter;
  removed int;
begin
  for i in 1 .. coalesce(array_length(subjects, 1), 0) loop
    select * into counter from request_counter c where c.subject = subjects[i] for update;
    continue when not found;
    for k in 1 .. cardinality(counter.window_times) loop
      continue when counter.window_times[k] < granted_at[i];
      if counter.window_times[k] < granted_at[i] + steps[i] then
        removed := least(counts[i], counter.window_counts[k]);
        counter.window_counts[k] := counter.window_counts[k] - removed;
        counter.window_used := counter.window_used - removed;
      end if;
      exit;
    end loop;
    if counter.month = months[i] then
      counter.month_returned := least(counter.month_used, counter.month_returned + counts[i]);
    end if;
    update request_counter c
      set window_counts = counter.window_counts, window_used = counter.window_used,
          month_returned = counter.month_returned
      where c.subject = subjects[i];
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.revive_contracts(chain_ids integer[], addresses bytea[])
 RETURNS integer
 LANGUAGE sql
AS $function$
  with expired as (
    select c.id from unnest(chain_ids, addresses) as wanted (chain_id, address)
    join contract c using (chain_id, address)
    where c.watch_state in ('expiring', 'expired') or c.unreferenced_since is not null
    order by c.chain_id, c.address for update of c
  ), revived as (
    update contract c set unreferenced_since = null,
      watch_state = case c.watch_state when 'expired' then 'new' when 'expiring' then 'watched' else c.watch_state end
    from expired where c.id = expired.id returning c.id
  )
  select count(*)::int from revived
$function$
;

CREATE OR REPLACE FUNCTION public.revive_named_contract()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.watch_state := case new.watch_state when 'expired' then 'new' else 'watched' end;
  new.unreferenced_since := null;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.set_contract_changed(chain integer, changed bytea)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(7438032);
  insert into contract_change (chain_id, address, position) values (chain, changed, nextval('publication_position'))
  on conflict (chain_id, address) do update set position = excluded.position;
end $function$
;

CREATE OR REPLACE FUNCTION public.set_publication_position()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(7438032);
  update publication set position = nextval('publication_position') where id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.store_derived_event(chain integer, number bigint, "time" bigint, tx bytea, log_index integer, emitter bytea, kind smallint, category smallint, severity smallint, init boolean, arguments text)
 RETURNS TABLE(id bigint, block_time timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
    insert into control_event (chain_id, announced, is_derived, block_number, block_time, tx_hash, log_index, address,
      kind_id, category_id, severity, is_init, args)
    values (chain, true, true, number, timestamptz 'epoch' + "time" * interval '1 millisecond', tx,
      store_derived_event.log_index, emitter, kind, category, store_derived_event.severity, init, arguments::json)
    on conflict do nothing returning id, block_time;
end $function$
;

CREATE OR REPLACE FUNCTION public.store_events(chain integer, announce boolean, numbers bigint[], times bigint[], txs text[], log_indexes integer[], emitters text[], subjects text[], kinds smallint[], categories smallint[], severities smallint[], inits boolean[], arguments text[], known_ids bigint[])
 RETURNS TABLE(id bigint, block_time timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
begin
  return query
    insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
      subject, kind_id, category_id, severity, is_init, args, id)
    select (select nextval('publication_id')), chain, announce or e.id is not null, e.number,
      timestamptz 'epoch' + e.time * interval '1 millisecond', decode(e.tx, 'hex'), e.log_index, decode(e.address, 'hex'),
      decode(e.subject, 'hex'), e.kind_id, e.category_id, e.severity, e.is_init, e.args::json,
      coalesce(e.id, nextval('control_event_id'))
    from unnest(numbers, times, txs, log_indexes, emitters, subjects, kinds, categories, severities, inits, arguments,
      known_ids) as e (number, time, tx, log_index, address, subject, kind_id, category_id, severity, is_init, args, id)
    on conflict do nothing
    returning id, block_time;
end $function$
;

CREATE OR REPLACE FUNCTION public.take_requests(subjects text[], counts integer[], window_limits integer[], window_ms integer[], month_limits bigint[], at_ms bigint, this_month date)
 RETURNS TABLE(subject text, granted integer, refused_by text, window_opens_at bigint, month_total bigint)
 LANGUAGE plpgsql
AS $function$
declare
  counter request_counter;
  times bigint[];
  counted int[];
  size int;
  expired int;
  now_ms bigint;
  step int;
  in_window int;
  freed int;
begin
  for i in 1 .. coalesce(array_length(subjects, 1), 0) loop
    select * into counter from request_counter c where c.subject = subjects[i] for update;
    if not found then
      insert into request_counter as fresh values (subjects[i], '{}', '{}', 0, this_month, 0, to_timestamp(at_ms / 1000.0))
        on conflict do nothing;
      select * into counter from request_counter c where c.subject = subjects[i] for update;
    end if;
    times := counter.window_times;
    counted := counter.window_counts;
    size := cardinality(times);
    now_ms := greatest(at_ms, times[size]);
    expired := 0;
    while expired < size and times[expired + 1] <= now_ms - window_ms[i] loop
      expired := expired + 1;
      counter.window_used := counter.window_used - counted[expired];
    end loop;
    if expired > 0 then
      times := times[expired + 1 :];
      counted := counted[expired + 1 :];
      size := size - expired;
    end if;
    if this_month > counter.month then
      counter.month := this_month;
      counter.month_used := 0;
      counter.month_returned := 0;
    end if;
    in_window := least(counts[i], greatest(window_limits[i] - counter.window_used, 0));
    granted := least(in_window, greatest(
      coalesce(month_limits[i], 9007199254740991) - (counter.month_used - counter.month_returned), 0));
    if granted > 0 then
      step := case when window_limits[i] <= 120 then 1 else ceil(window_ms[i] / 120.0) end;
      if size > 0 and times[size] / step = now_ms / step then
        times[size] := now_ms;
        counted[size] := counted[size] + granted;
      else
        size := size + 1;
        times[size] := now_ms;
        counted[size] := granted;
      end if;
      counter.window_used := counter.window_used + granted;
      counter.month_used := counter.month_used + granted;
      update request_counter c
        set window_times = times, window_counts = counted, window_used = counter.window_used, month = counter.month,
            month_used = counter.month_used, month_returned = counter.month_returned,
            last_at = greatest(counter.last_at, to_timestamp(at_ms / 1000.0))
        where c.subject = subjects[i];
    end if;
    subject := subjects[i];
    month_total := counter.month_used - counter.month_returned;
    refused_by := case when granted < in_window then 'month' when granted < counts[i] then 'window' end;
    -- The window opens when enough requests have left it for one more.
    window_opens_at := now_ms;
    if refused_by = 'window' then
      window_opens_at := now_ms + window_ms[i];
      freed := 0;
      for k in 1 .. size loop
        freed := freed + counted[k];
        window_opens_at := times[k] + window_ms[i];
        exit when counter.window_used - freed < window_limits[i];
      end loop;
    end if;
    return next;
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.update_child_subscriptions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update subscription set min_severity = new.min_severity, channels = new.channels,
    include_controllers = new.include_controllers, power_effects = new.power_effects, categories = new.categories,
    event_keys = new.event_keys, queued_changes = new.queued_changes, alert_at = new.alert_at, paused_at = new.paused_at
  where parent_id = new.id;
  return null;
end $function$
;

CREATE TRIGGER add_child_subscriptions AFTER INSERT ON public.subscription FOR EACH ROW WHEN ((new.protocol_id IS NOT NULL)) EXECUTE FUNCTION add_child_subscriptions();

CREATE TRIGGER add_child_subscriptions_of_contract AFTER INSERT ON public.contract FOR EACH ROW WHEN ((new.protocol_id IS NOT NULL)) EXECUTE FUNCTION move_child_subscriptions();

CREATE TRIGGER cancel_deliveries_of_subscription AFTER DELETE ON public.coin_subscription FOR EACH ROW EXECUTE FUNCTION cancel_deliveries_of_subscription();

CREATE TRIGGER cancel_deliveries_of_subscription AFTER DELETE ON public.subscription FOR EACH ROW WHEN ((old.address IS NOT NULL)) EXECUTE FUNCTION cancel_deliveries_of_subscription();

CREATE TRIGGER cancel_messages_of_channel AFTER DELETE ON public.alert_channel FOR EACH ROW EXECUTE FUNCTION cancel_messages_of_channel();

CREATE TRIGGER count_deleted_events AFTER DELETE ON public.control_event REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_changed_events();

CREATE TRIGGER count_inserted_events AFTER INSERT ON public.control_event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_changed_events();

CREATE TRIGGER mark_contract_changed BEFORE UPDATE OF kind ON public.contract FOR EACH ROW EXECUTE FUNCTION mark_contract_changed();

CREATE TRIGGER move_child_subscriptions_of_contract AFTER UPDATE OF protocol_id ON public.contract FOR EACH ROW WHEN ((new.protocol_id IS DISTINCT FROM old.protocol_id)) EXECUTE FUNCTION move_child_subscriptions();

CREATE CONSTRAINT TRIGGER note_changed_kind AFTER INSERT OR DELETE OR UPDATE ON public.event_kind DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_change_of_all();

CREATE CONSTRAINT TRIGGER note_changed_profile AFTER UPDATE ON public.control_profile DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((((((((old.chain_id IS DISTINCT FROM new.chain_id) OR (old.address IS DISTINCT FROM new.address)) OR (old.label IS DISTINCT FROM new.label)) OR (old.tone IS DISTINCT FROM new.tone)) OR (old.led_by IS DISTINCT FROM new.led_by)) OR (old.stale IS DISTINCT FROM new.stale)) OR ((old.reasons)::text IS DISTINCT FROM (new.reasons)::text))) EXECUTE FUNCTION note_contract_change();

CREATE CONSTRAINT TRIGGER note_contract_change AFTER INSERT OR DELETE OR UPDATE ON public.contract DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change('last_checked_at', 'watch_state', 'unreferenced_since', 'edited', 'added_by');

CREATE CONSTRAINT TRIGGER note_contract_change AFTER INSERT OR DELETE OR UPDATE ON public.contract_controller DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change();

CREATE CONSTRAINT TRIGGER note_contract_change AFTER INSERT OR DELETE OR UPDATE ON public.pending_operation DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change('read_at', 'due_event_id');

CREATE CONSTRAINT TRIGGER note_contract_change AFTER INSERT OR DELETE OR UPDATE ON public.pending_target DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change();

CREATE CONSTRAINT TRIGGER note_contract_change AFTER INSERT OR DELETE OR UPDATE ON public.source_check DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change('checked_at', 'check_at', 'code_hash');

CREATE TRIGGER note_recount AFTER DELETE ON public.event_count FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_all();

CREATE CONSTRAINT TRIGGER note_renamed_protocol AFTER UPDATE ON public.protocol DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.label IS DISTINCT FROM new.label) OR (old.slug IS DISTINCT FROM new.slug))) EXECUTE FUNCTION note_change_of_all();

CREATE CONSTRAINT TRIGGER note_stored_profile AFTER INSERT OR DELETE ON public.control_profile DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_contract_change();

CREATE TRIGGER note_subscription_change AFTER INSERT OR DELETE OR UPDATE OF events, confirmations, channels ON public.coin_subscription FOR EACH ROW EXECUTE FUNCTION note_subscription_change();

CREATE TRIGGER note_wallet_change AFTER UPDATE OF gap_limit ON public.kept_wallet FOR EACH ROW WHEN ((old.gap_limit <> new.gap_limit)) EXECUTE FUNCTION note_wallet_change();

CREATE TRIGGER notify_key_changed AFTER INSERT OR DELETE OR UPDATE ON public.api_key FOR EACH ROW EXECUTE FUNCTION notify_key_changed();

CREATE TRIGGER notify_keys_of_account_changed AFTER UPDATE OF plan, utxo_plan, operator ON public.user_account FOR EACH ROW EXECUTE FUNCTION notify_keys_of_account_changed();

CREATE TRIGGER operator_change_is_only_added_to BEFORE DELETE OR UPDATE ON public.operator_change FOR EACH ROW EXECUTE FUNCTION refuse_change_of_operator_change();

CREATE TRIGGER publish_retracted_events AFTER DELETE ON public.control_event REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_retracted_events();

CREATE TRIGGER publish_stored_events AFTER INSERT ON public.control_event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION publish_stored_events();

CREATE TRIGGER revive_named_contract BEFORE UPDATE OF source, protocol_id ON public.contract FOR EACH ROW WHEN (((new.watch_state = ANY (ARRAY['expiring'::text, 'expired'::text])) AND ((new.source <> 'discovered'::text) OR (new.protocol_id IS NOT NULL)))) EXECUTE FUNCTION revive_named_contract();

CREATE CONSTRAINT TRIGGER set_publication_position AFTER INSERT ON public.publication DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION set_publication_position();

CREATE TRIGGER update_child_subscriptions AFTER UPDATE ON public.subscription FOR EACH ROW WHEN ((new.protocol_id IS NOT NULL)) EXECUTE FUNCTION update_child_subscriptions();
