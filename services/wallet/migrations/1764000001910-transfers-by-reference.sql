-- no transaction
-- Transfers in 16 partitions by reference: what is posted under one reference is unique in one of them.
select partition_twin('transfer', 'reference', 'hash', 16);
select partition_by_hash('transfer', 'reference');
