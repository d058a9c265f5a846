-- Who leads the accounts that control a contract, where it is not a multisig alone.

alter table control_profile
  add column led_by text check (led_by in ('vote', 'vote_or_multisig'));
