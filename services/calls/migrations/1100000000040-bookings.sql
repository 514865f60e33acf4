-- When teachers give lessons, and the lessons that students book.

create table availability (
  teacher_id bigint primary key,
  time_zone text not null,
  slot_minutes int not null check (slot_minutes between 5 and 480),
  min_notice_minutes int not null check (min_notice_minutes >= 0),
  weekly jsonb not null,
  exceptions jsonb not null,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
comment on table availability is 'Wall time in its zone; without a row a teacher has no hours.';

create table calendar_feed (user_id bigint primary key, generation int not null);
comment on table calendar_feed is 'How often a person has renewed the link to their calendar; nobody has when there is no row.';

create table booking (
  id bigint generated always as identity primary key,
  student_id bigint not null,
  teacher_id bigint not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  time_zone text not null,
  call_type text not null check (call_type in ('video', 'audio')),
  note text not null default '',
  status text not null check (status in ('requested', 'confirmed', 'declined', 'canceled', 'missed', 'done')),
  asked text not null check (asked in ('student', 'teacher')),
  cancel_reason text not null default '',
  canceled_by text check (canceled_by in ('student', 'teacher')),
  reminded_minutes int,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  -- Nobody is in two places: of two who book the same time at once, the second one waits for the first and is refused.
  constraint booking_teacher_free exclude using gist
    (int8range(teacher_id, teacher_id, '[]') with &&, tstzrange(starts_at, ends_at) with &&)
    where (status in ('requested', 'confirmed')),
  constraint booking_student_free exclude using gist
    (int8range(student_id, student_id, '[]') with &&, tstzrange(starts_at, ends_at) with &&)
    where (status in ('requested', 'confirmed'))
);
comment on column booking.time_zone is 'The zone in which the teacher said the hours that were booked.';
comment on column booking.canceled_by is 'Null where neither did: by a ban, a deletion or a block.';
comment on column booking.asked is 'Who has to answer a request: the teacher, or the student after a teacher''s reschedule.';
comment on column booking.reminded_minutes is 'The last reminder that was sent: 60 or 10 minutes before.';
create index booking_of_teacher on booking (teacher_id, starts_at);
create index booking_of_student on booking (student_id, starts_at);
create index booking_open on booking (starts_at) where status in ('requested', 'confirmed');
select keep_tally('booking', 'id >> 13 as bucket, status, utc_day(created_at) as created_at');
