-- no transaction
-- Transfers in partitions by reference: what is posted under one reference is unique in one of them. Ids come from one
-- sequence. A job copies the transfers while they are in use.
select partitioning.twin('transfer', 'reference', 8);
select partitioning.by_hash('transfer');
