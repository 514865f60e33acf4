-- Who writes a room counts what is unread in it; the constraints refuse anything else. The indexes of uncounted rooms
-- stay: the last release still looks whether there are any. The next one drops them.
-- Nobody queues for long behind it, whatever holds the table: a backup, say.
select partitioning.lock('public.room', 'access exclusive', 300);
drop trigger room_uncounted on room;
drop function count_unread;
drop procedure count_old_rooms;
alter table room
  add constraint room_student_unread_not_null not null student_unread not valid,
  add constraint room_teacher_unread_not_null not null teacher_unread not valid;
comment on column room.student_unread is 'Messages of the teacher behind the student''s read cursor.';
comment on index room_student_uncounted is 'Used by the last release alone; the next one drops it.';
comment on index room_teacher_uncounted is 'Used by the last release alone; the next one drops it.';
