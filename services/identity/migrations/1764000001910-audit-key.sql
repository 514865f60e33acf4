-- no transaction
-- The audit's key when it is a partition.
drop index concurrently if exists audit_partition_key;
create unique index concurrently audit_partition_key on audit (id, created_at);
