-- What operators changed, for review. Rows are only added.

create table operator_change (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- The e-mail address of the operator, or the command line with its system account. Not a foreign key: the record
  -- outlives the account.
  actor text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb
);
comment on table operator_change is 'A change that an operator made: who, when, what, and the values before and after.';

create function refuse_change_of_operator_change() returns trigger language plpgsql as $$
begin
  raise exception 'operator_change is only added to';
end $$;
create trigger operator_change_is_only_added_to before update or delete on operator_change
  for each row execute function refuse_change_of_operator_change();
