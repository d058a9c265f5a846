-- State that several processes share: leases and request counters.

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
  -- The window starts with its first request.
  window_opened_at timestamptz not null,
  window_used int not null,
  month date not null,
  month_used bigint not null,
  last_at timestamptz not null
) with (fillfactor = 50); -- every request updates its row: free space on each page allows HOT updates
comment on table request_counter is
  'The requests of one subject (an API key, a network that signs in) in its open window and in the current month.';

-- Takes up to `counts[i]` requests for `subjects[i]`: as many as the window and then the month still allow. Refused
-- requests are not counted. Callers sort the subjects, so that two calls cannot deadlock. An earlier month never
-- replaces a later one: the clocks of two machines may differ at the end of a month.
create function take_requests(
  subjects text[], counts int[], window_limits int[], window_ms int[], month_limits bigint[], at timestamptz, this_month date
) returns table (subject text, granted int, refused_by_window int, window_ends_at timestamptz, window_left int, month_total bigint)
language plpgsql as $$
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
end $$;
