alter table control_profile
  -- Holders of powers with the accounts behind them, for the drawing; null if they were not analyzed.
  add column power_paths json;
