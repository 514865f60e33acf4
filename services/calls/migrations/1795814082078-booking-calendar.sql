-- no transaction
-- What a calendar shows of a person's lessons, however many were canceled.
drop index concurrently if exists booking_shown_of_student;
create index concurrently booking_shown_of_student on booking (student_id, starts_at)
  where status in ('confirmed', 'done', 'missed');
drop index concurrently if exists booking_shown_of_teacher;
create index concurrently booking_shown_of_teacher on booking (teacher_id, starts_at)
  where status in ('confirmed', 'done', 'missed');
