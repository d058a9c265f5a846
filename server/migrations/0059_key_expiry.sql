-- When an API key ends, and what recipients of alerts answered.

alter table api_key
  -- From then on the key is refused; null if it does not expire.
  add column expires_at timestamptz;

alter table alert_attempt
  -- The HTTP status of the response; null if there was none, or the channel does not use HTTP.
  add column response_status smallint;
