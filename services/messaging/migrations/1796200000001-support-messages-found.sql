-- no transaction
-- The search text of the messages that were there before its trigger.
insert into support_message_found (id, room_uuid, text)
  select id, room_uuid, fold(message) from support_message where message <> '' order by id on conflict do nothing;
drop index concurrently if exists support_message_found_text;
create index concurrently support_message_found_text on support_message_found using gin (text gin_trgm_ops);
analyze support_message_found;
