-- Rooms and messages. A read cursor is the id of the newest message of the partner that this side has read; every unread
-- count is derived from it. `..._last_id` is the newest message that this side has sent, 0 when none.

create table room (
  uuid uuid primary key,
  student_id bigint not null,
  teacher_id bigint not null,
  version bigint not null default 1,
  student_read_id bigint not null default 0,
  teacher_read_id bigint not null default 0,
  student_last_id bigint not null default 0,
  teacher_last_id bigint not null default 0,
  student_unread int not null default 0,
  teacher_unread int not null default 0,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  unique (student_id, teacher_id),
  check (student_read_id <= teacher_last_id and teacher_read_id <= student_last_id)
) with (fillfactor = 70);
comment on column room.student_unread is 'Messages of the teacher behind the student''s read cursor.';
comment on column room.updated_at is 'Latest activity: creation or newest message.';
-- The rooms of a person in the order of their list, and those with unread messages.
create index room_of_student on room (student_id, updated_at desc, uuid);
create index room_of_teacher on room (teacher_id, updated_at desc, uuid);
create index room_student_unread on room (student_id) where teacher_last_id > student_read_id;
create index room_teacher_unread on room (teacher_id) where student_last_id > teacher_read_id;

-- In partitions by room: every key and every hot look-up has the room.
create table message (
  id bigint generated always as identity,
  room_uuid uuid not null references room,
  sender_id bigint not null,
  message text not null,
  type text not null,
  message_link text,
  client_message_id text,
  created_at timestamptz not null,
  primary key (room_uuid, id)
) partition by hash (room_uuid);
create unique index message_client on message (room_uuid, sender_id, client_message_id) where client_message_id is not null;
create index message_recent on message using brin (id) with (autosummarize = on, pages_per_range = 32);
select create_partitions('message', 8);

-- What people wrote is history: the service itself can neither change nor remove it.
select deny_service('update, delete, truncate', 'message');
select deny_service('delete, truncate', 'room');

-- What the dashboard counts.
select keep_tally('room', 'utc_day(created_at) as created_at');
select keep_tally('message', 'utc_day(created_at) as created_at');
