alter table control_profile
  -- What simulated calls of guarded functions showed, for the code and the accounts of that time; null if not tried.
  add column trials json;
