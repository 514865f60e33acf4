-- no transaction
-- The outbox's key when it is a partition.
drop index concurrently if exists outbox_partition_key;
create unique index concurrently outbox_partition_key on outbox (id, created_at);
