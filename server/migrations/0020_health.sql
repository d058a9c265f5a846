-- How old the reports about each chain are, and which processes run.

alter table chain_status
  -- When an endpoint last returned the head, and when that head last was another block.
  add column head_at timestamptz,
  add column head_changed_at timestamptz;

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
