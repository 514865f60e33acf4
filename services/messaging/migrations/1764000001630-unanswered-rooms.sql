-- no transaction
-- What waits for an answer of the administrators is found without reading what does not.
drop index concurrently if exists support_room_unanswered;
create index concurrently support_room_unanswered on support_room (updated_at desc, uuid desc)
  where user_last_id > staff_last_id;
