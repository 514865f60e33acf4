-- no transaction
drop index concurrently if exists outbox_urgent_unsent;
create index concurrently outbox_urgent_unsent on outbox (id) where sent_at is null and urgent;
