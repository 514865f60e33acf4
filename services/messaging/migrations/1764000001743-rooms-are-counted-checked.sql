-- Beside writers.
alter table room validate constraint room_student_unread_not_null;
alter table room validate constraint room_teacher_unread_not_null;
