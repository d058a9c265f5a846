-- Requests that failed by our fault do not count: they are returned to the window and to the month.

alter table request_counter
  -- How many of `month_used` were returned. Both only grow within a month, so that late and repeated copies do no harm.
  add column month_returned bigint not null default 0;

-- As before, and returned requests do not count toward the month.
create or replace function take_requests(
  subjects text[], counts int[], window_limits int[], window_ms int[], month_limits bigint[], at_ms bigint, this_month date
) returns table (subject text, granted int, refused_by text, window_opens_at bigint, month_total bigint)
language plpgsql as $$
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
            month_used = counter.month_used, month_returned = counter.month_returned, last_at = greatest(counter.last_at, to_timestamp(at_ms / 1000.0))
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
end $$;

-- Returns `counts[i]` requests of `subjects[i]` that take_requests granted at `granted_at[i]` in `months[i]`. Callers
-- sort the subjects. In the window they are part of the first time from `granted_at[i]` on: take_requests raises the
-- time of a request by less than `steps[i]`. A request that has left the window, or a month that is over, is ignored.
create function return_requests(subjects text[], counts int[], granted_at bigint[], steps int[], months date[])
returns void language plpgsql as $$
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
end $$;
