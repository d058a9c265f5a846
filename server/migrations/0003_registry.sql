-- Watched contracts and their protocols. All tables store addresses and hashes as bytes, which are half the size of
-- their text.

create table protocol (
  id bigint generated always as identity primary key,
  label text not null,
  slug text not null unique,
  -- The label in the registry file, by which an import finds a protocol that an operator renamed.
  seed_label text unique
);
comment on table protocol is 'A protocol that contracts belong to.';
create index protocol_label on protocol (lower(label));

create table contract (
  id bigint generated always as identity primary key,
  chain_id int not null,
  address bytea not null check (octet_length(address) = 20),
  kind text not null default 'unknown',
  name text,
  protocol_id bigint references protocol,
  implementation bytea,
  admin bytea,
  owner bytea,
  verified boolean not null default false,
  source text not null check (source in ('seed', 'manual', 'discovered')),
  metadata jsonb not null default '{}',
  first_seen_at timestamptz not null default now(),
  last_checked_at timestamptz,
  -- Columns that an operator has set: an import does not change them.
  edited text[] not null default '{}',
  -- Whether the watcher still has to read the row. A sequence number would not do: a transaction with a lower number
  -- may commit later.
  watch_state text not null default 'new' check (watch_state in ('new', 'changed', 'watched', 'expiring', 'expired')),
  -- The account whose subscription added it. The number of its contracts is limited by its plan.
  added_by text references user_account (id) on delete set null,
  -- Since when no subscription, protocol or registry refers to it, itself or through a contract that it controls.
  unreferenced_since timestamptz,
  unique (chain_id, address)
);
comment on table contract is 'A contract that is watched, or that was discovered as the controller of one.';
create index contract_of_protocol on contract (protocol_id);
create index contract_added_by on contract (added_by) where added_by is not null;
-- The rows that the watcher has to read, which are few. It stops watching a contract that is `expiring`, and stores
-- `expired`.
create index contract_pending on contract (chain_id) where watch_state in ('new', 'changed', 'expiring');

-- The kind of a contract decides how its logs are decoded, so the watcher must read a changed kind.
create function mark_contract_changed() returns trigger language plpgsql as $$
begin
  if new.kind is distinct from old.kind and new.watch_state = 'watched' then new.watch_state := 'changed'; end if;
  return new;
end $$;
create trigger mark_contract_changed before update of kind on contract
  for each row execute function mark_contract_changed();

create table contract_creation (
  chain_id int not null,
  address bytea not null,
  -- The last block known without the code, and the first known with it.
  absent_until bigint,
  present_from bigint,
  tx_hash bytea,
  primary key (chain_id, address)
);
comment on table contract_creation is
  'When a contract got its code. Read once from a node; a reorg removes what the rolled-back blocks showed.';

create table contract_controller (
  chain_id int not null,
  address bytea not null,
  controller_chain_id int not null,
  controller bytea not null,
  -- The controller supplies its code (a beacon): the controller's events are the contract's own.
  is_logic boolean not null,
  primary key (chain_id, address, controller_chain_id, controller)
);
comment on table contract_controller is 'A contract and one address that controls it, by its last poll.';
-- The contracts that an address controls.
create index contract_controller_by on contract_controller (controller_chain_id, controller);

-- Discovered contracts that nothing refers to any more are no longer watched and polled. Their events stay.

-- Watches expired contracts again, as new ones: their events since then are read as history. Sorted, so that two
-- transactions that revive the same contracts do not deadlock.
create function revive_contracts(chain_ids int[], addresses bytea[]) returns int language sql as $$
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
$$;

-- A contract that an operator or the registry adds is watched, also if it had expired.
create function revive_named_contract() returns trigger language plpgsql as $$
begin
  new.watch_state := case new.watch_state when 'expired' then 'new' else 'watched' end;
  new.unreferenced_since := null;
  return new;
end $$;
create trigger revive_named_contract before update of source, protocol_id on contract
  for each row when (new.watch_state in ('expiring', 'expired') and (new.source <> 'discovered' or new.protocol_id is not null))
  execute function revive_named_contract();

-- Marks discovered contracts that nothing refers to, and expires those that were marked before `marked_before`. Returns
-- the number of expired ones. A contract is referred to by the registry, an operator, a protocol or a subscription, or
-- because it controls such a contract.
create function expire_contracts(marked_before timestamptz) returns int language plpgsql as $$
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
end $$;
