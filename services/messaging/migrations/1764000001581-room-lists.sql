-- no transaction
-- The rooms of a person in the order of their list, and those with unread messages.
drop index concurrently if exists room_of_student;
create index concurrently room_of_student on room (student_id, updated_at desc, uuid);
drop index concurrently if exists room_of_teacher;
create index concurrently room_of_teacher on room (teacher_id, updated_at desc, uuid);
drop index concurrently if exists room_teacher;
drop index concurrently if exists room_student_unread;
create index concurrently room_student_unread on room (student_id) where teacher_last_id > student_read_id;
drop index concurrently if exists room_teacher_unread;
create index concurrently room_teacher_unread on room (teacher_id) where student_last_id > teacher_read_id;
-- Empty when every room is counted; the next release drops these two.
drop index concurrently if exists room_student_uncounted;
create index concurrently room_student_uncounted on room (student_id) where student_unread is null;
drop index concurrently if exists room_teacher_uncounted;
create index concurrently room_teacher_uncounted on room (teacher_id) where teacher_unread is null;
comment on column room.updated_at is 'Latest activity: creation or newest message.';
