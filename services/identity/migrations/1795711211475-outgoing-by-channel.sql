-- no transaction
-- Letters and SMS are delivered by a job each: what is due next, and too old first, is found by channel.
drop index concurrently if exists outgoing_due_by_channel;
create index concurrently outgoing_due_by_channel on outgoing (channel, next_attempt_at);
drop index concurrently if exists outgoing_expires_by_channel;
create index concurrently outgoing_expires_by_channel on outgoing (channel, expires_at);
