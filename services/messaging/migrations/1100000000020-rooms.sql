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

create table unread_share (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  messages bigint not null
) with (fillfactor = 50);
comment on table unread_share is 'The sum of a person''s shares is the sum of their counts in rooms. A writer adds to a share that nobody else has locked, so none waits for another; one share may be negative.';
create index unread_share_user on unread_share (user_id);

-- Adds what a statement has changed in the rooms' counts to the shares of their people.
create function share_unread() returns trigger language plpgsql
-- A plan made while the table is small would read the whole of it when it has grown.
set enable_seqscan = off
as $$
begin
  with side as (
    select after.student_id as user_id, after.student_unread - before.student_unread as more
    from after join before using (uuid)
    union all
    select after.teacher_id, after.teacher_unread - before.teacher_unread from after join before using (uuid)
  ), changed as (
    select user_id, sum(more) as more from side where more <> 0 group by user_id
  ), free as materialized (
    select user_id, more, id from changed left join lateral (
      select id from unread_share where user_id = changed.user_id limit 1 for no key update skip locked
    ) as share on true
  ), added as (
    update unread_share set messages = messages + more from free where unread_share.id = free.id
  )
  insert into unread_share (user_id, messages) select user_id, more from free where id is null;
  return null;
end $$;
create trigger room_unread_changed after update on room referencing old table as before new table as after
  for each statement execute function share_unread();

-- Rooms are counted when they are made, so that the dashboard reads a few counters.
create function tally_room() returns trigger language plpgsql
as $$
begin
  perform tally_add('room', count(*)) from added;
  return null;
end $$;
create trigger room_tally_new after insert on room referencing new table as added
  for each statement execute function tally_room();

create table message_day (day date primary key, messages bigint not null);
comment on table message_day is 'How many messages were written on each UTC day; a job counts them, so that no sender does.';
create table message_day_mark (
  only_row boolean primary key default true check (only_row),
  up_to_id bigint not null default 0
);
comment on table message_day_mark is 'Messages with an id <= up_to_id are in message_day; newer ones are counted when asked.';
insert into message_day_mark default values;
