-- When each contract last changed, for processes that keep prepared answers: they read again what changed after the position
-- they have seen.
--
-- Positions are those of publications, assigned at the commit under the same lock (`set_publication_position`), so that a
-- reader that sees a position sees every lower one. A change of events is a publication and needs no row here.

create table contract_change (
  chain_id int not null,
  address bytea not null,
  position bigint not null,
  primary key (chain_id, address)
);
comment on table contract_change is
  'The position of the last change of a contract other than its events; chain 0 stands for all contracts.';
create index contract_change_by_position on contract_change (position);

create function set_contract_changed(chain int, changed bytea) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7438032);
  insert into contract_change (chain_id, address, position) values (chain, changed, nextval('publication_position'))
  on conflict (chain_id, address) do update set position = excluded.position;
end $$;

-- The arguments are columns whose changes do not count.
create function note_contract_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_nargs > 0 and to_jsonb(old) - tg_argv = to_jsonb(new) - tg_argv then return null; end if;
  if tg_op <> 'INSERT' then perform set_contract_changed(old.chain_id, old.address); end if;
  if tg_op = 'INSERT' or (new.chain_id, new.address) <> (old.chain_id, old.address) then
    perform set_contract_changed(new.chain_id, new.address);
  end if;
  return null;
end $$;

create function note_change_of_all() returns trigger language plpgsql as $$
begin
  perform set_contract_changed(0, '');
  return null;
end $$;

-- Deferred, because a transaction that holds the lock of positions must not wait for any other.
create constraint trigger note_contract_change after insert or delete or update on contract
  deferrable initially deferred for each row
  execute function note_contract_change('last_checked_at', 'watch_state', 'unreferenced_since', 'edited', 'added_by');
create constraint trigger note_contract_change after insert or delete or update on source_check
  deferrable initially deferred for each row execute function note_contract_change('checked_at', 'check_at', 'code_hash');
create constraint trigger note_contract_change after insert or delete or update on pending_operation
  deferrable initially deferred for each row execute function note_contract_change('read_at', 'due_event_id');
create constraint trigger note_contract_change after insert or delete or update on pending_target
  deferrable initially deferred for each row execute function note_contract_change();
create constraint trigger note_contract_change after insert or delete or update on contract_controller
  deferrable initially deferred for each row execute function note_contract_change();
-- The other columns are large and change with every poll.
create constraint trigger note_stored_profile after insert or delete on control_profile
  deferrable initially deferred for each row execute function note_contract_change();
create constraint trigger note_changed_profile after update on control_profile
  deferrable initially deferred for each row
  when ((old.chain_id, old.address, old.label, old.tone, old.led_by, old.stale, old.reasons::text)
    is distinct from (new.chain_id, new.address, new.label, new.tone, new.led_by, new.stale, new.reasons::text))
  execute function note_contract_change();

create constraint trigger note_renamed_protocol after update on protocol
  deferrable initially deferred for each row
  when ((old.label, old.slug) is distinct from (new.label, new.slug)) execute function note_change_of_all();
create constraint trigger note_changed_kind after insert or delete or update on event_kind
  deferrable initially deferred for each row execute function note_change_of_all();
-- Only a recount deletes counts.
create trigger note_recount after delete on event_count for each statement execute function note_change_of_all();

-- The contracts that changed after a position, some of them repeatedly; `most` rows if there may be more.
create function contracts_changed_after(after_position bigint, most int) returns table (chain_id int, address bytea)
  language plpgsql stable set plan_cache_mode to force_generic_plan as $$
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
end $$;
