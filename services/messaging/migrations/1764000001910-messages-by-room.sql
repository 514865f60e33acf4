-- no transaction
-- Messages in 32 partitions by room: every key and every hot look-up has the room.
select partition_twin('message', 'room_uuid', 'hash', 32);
select partition_by_hash('message', 'room_uuid');
