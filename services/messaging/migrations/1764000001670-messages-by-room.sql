-- no transaction
-- Messages in partitions by room: every key and every hot look-up has the room. A job copies them while they are in use.
select partitioning.twin('message', 'room_uuid', 8);
select partitioning.by_hash('message');
