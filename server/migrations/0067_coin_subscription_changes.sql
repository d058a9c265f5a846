-- A change names its subscription, so that one change does not make all subscriptions of a chain be read again.

alter table coin_subscription_change add column subscription_id bigint not null default 0;
alter table coin_subscription_change alter column subscription_id drop default;
comment on table coin_subscription_change is
  'A subscription changed. The process that follows its chain reads it again and deletes the row.';

create or replace function note_subscription_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into coin_subscription_change (chain, subscription_id) values (old.chain, old.id);
  else
    insert into coin_subscription_change (chain, subscription_id) values (new.chain, new.id);
  end if;
  return null;
end $$;

create function note_wallet_change() returns trigger language plpgsql as $$
begin
  insert into coin_subscription_change (chain, subscription_id)
    select chain, id from coin_subscription where wallet_id = new.id;
  return null;
end $$;
drop trigger note_wallet_change on kept_wallet;
create trigger note_wallet_change after update of gap_limit on kept_wallet
  for each row when (old.gap_limit <> new.gap_limit) execute function note_wallet_change();
