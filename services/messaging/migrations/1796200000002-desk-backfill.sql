-- Rooms whose last message is the person's: the questions that nobody has answered. In a file of its own, so that it
-- holds no lock that a message waits for.
with asked as (
  select r.uuid, r.user_id, first.message, first.created_at
  from support_room r cross join lateral (
    select m.message, m.created_at from support_message m
    where m.room_uuid = r.uuid and m.id > r.staff_last_id and not m.by_staff order by m.id limit 1) first
  where r.user_last_id > r.staff_last_id and not exists (select from user_copy u where u.id = r.user_id and u.deleted)
    and not exists (select from support_case c where c.room_uuid = r.uuid)
), opened as (
  insert into support_case (room_uuid, user_id, state, subject, waiting_since, opened_at, created_at, updated_at)
  select uuid, user_id, 'open', left(message, 120), created_at, created_at, created_at, created_at
  from asked order by created_at, uuid
  on conflict (user_id) where state <> 'resolved' do nothing
  returning id, created_at
)
insert into support_case_event (case_id, event, at) select id, 'opened', created_at from opened order by id;
