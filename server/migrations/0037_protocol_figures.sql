-- What the view of a protocol asks of the events themselves, where its tallies do not know: seldom, of few contracts.
--
-- In functions, because a statement that names the events is planned over all their years at each question, which takes
-- several times as long as answering it.

create function last_event_of(chain int, emitter bytea) returns table (block_time timestamptz, event_id bigint, event_key text)
  language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return query
    select e.block_time, e.id, e.event_key from control_event e where e.chain_id = chain and e.address = emitter
    order by e.block_time desc, e.id desc limit 1;
end $$;

-- Those that are no setup, from `since` on and before `until`.
create function count_events_of(chain int, emitter bytea, since timestamptz, until timestamptz)
  returns table (events bigint, critical bigint) language plpgsql stable set plan_cache_mode to force_generic_plan as $$
begin
  return query
    select count(*), count(*) filter (where e.severity = 2) from control_event e
    where e.chain_id = chain and e.address = emitter and not e.is_init and e.block_time >= since and e.block_time < until;
end $$;
