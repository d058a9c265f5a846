-- State that several processes share: leases, request counters, the processes themselves, and the hold on deliveries.

create table lease (
  name text primary key,
  holder text not null,
  -- Increases with each new holder, so that a transaction of an earlier holder can be refused.
  fence bigint not null,
  expires_at timestamptz not null
);
comment on table lease is 'A task that only one process may do at a time, and the process that holds it.';

create table request_counter (
  -- The id of an API key, or a prefix and a client network.
  subject text primary key,
  -- The granted requests of the last window, oldest first: when, in milliseconds since the epoch, how many at each of
  -- these times, and their sum.
  window_times bigint[] not null,
  window_counts int[] not null,
  window_used int not null,
  month date not null,
  month_used bigint not null,
  last_at timestamptz not null,
  -- How many of `month_used` were returned, because they failed by our fault. Both only grow within a month, so that late
  -- and repeated copies do no harm.
  month_returned bigint not null default 0
) with (fillfactor = 50); -- every request updates its row: free space on each page allows HOT updates
comment on table request_counter is
  'The requests of one subject (an API key, a network that signs in) in its sliding window and in the current month.';

-- Takes up to `counts[i]` requests for `subjects[i]`: as many as the window and then the month still allow. Refused
-- requests are not counted. Returned requests do not count toward the month. Callers sort the subjects, so that two calls
-- cannot deadlock.
-- A request occupies the window for `window_ms[i]` after its time, so no interval of that length holds more than the
-- limit. A log has at most 120 times, to stay within one page: with a higher limit, requests within 1/120 of the window
-- count as made at the latest of them.
-- Time never goes back for a subject, and an earlier month never replaces a later one: the clocks of two machines may
-- differ, and of two statements the one that started first may commit last.
create function take_requests(
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

create table process (
  id uuid primary key,
  host text not null,
  pid int not null,
  version text not null,
  roles text[] not null,
  -- What keeps a part of the process from working: a list of {role, part, reason, since}.
  faults jsonb not null default '[]',
  started_at timestamptz not null default now(),
  -- When the process last reported. It reports every few seconds until it stops.
  seen_at timestamptz not null default now(),
  stopped_at timestamptz
);
comment on table process is 'A process of the service and its roles, so that a role without a process is noticed.';

create table delivery_hold (
  only_row boolean primary key default true check (only_row),
  reason text not null,
  since timestamptz not null default now()
);
comment on table delivery_hold is 'While it has a row, no alert and no callback is sent.';
