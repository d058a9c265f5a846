-- Whether a message may have reached its receiver, though nobody knows: no answer came in time, whoever sent it died, or
-- it was accepted once and is sent again. When its block leaves the chain, that must be told there too.

alter table alert_message add column may_have_arrived boolean not null default false;
update alert_message set may_have_arrived = true where attempts > 0;
