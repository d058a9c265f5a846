-- Discovered contracts that nothing refers to any more are no longer watched and polled. Their events stay.

alter table contract drop constraint contract_watch_state_check;
alter table contract add constraint contract_watch_state_check
  check (watch_state in ('new', 'changed', 'watched', 'expiring', 'expired'));
-- The account whose subscription added it. The number of its contracts is limited by its plan.
alter table contract add column added_by text references user_account (id) on delete set null;
-- Since when no subscription, protocol or registry refers to it, itself or through a contract that it controls.
alter table contract add column unreferenced_since timestamptz;
create index contract_added_by on contract (added_by) where added_by is not null;
-- `expiring` is read by the watcher, which then stops watching it and stores `expired`.
drop index contract_pending;
create index contract_pending on contract (chain_id) where watch_state in ('new', 'changed', 'expiring');

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
