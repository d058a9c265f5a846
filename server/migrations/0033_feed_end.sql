-- Years that have not begun have partitions and no events, nearly always: one look at them all spares every walk of the
-- feed its own. Where a chain's clock runs years ahead, the walks look there as before.
create function feed_end(before timestamptz) returns timestamptz language plpgsql stable as $$
declare
  next_year constant timestamptz := date_trunc('year', now(), 'UTC') + interval '1 year';
begin
  if before <= next_year or exists (select from control_event where block_time >= next_year) then return before; end if;
  return next_year;
end $$;
