-- What students say of their lessons.

create table review (
  id bigint generated always as identity primary key,
  call_id bigint not null unique references call,
  identifier text not null,
  student_id bigint not null,
  teacher_id bigint not null,
  rating int not null check (rating between 1 and 5),
  comment text not null default '',
  reply text not null default '',
  hidden boolean not null default false,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
comment on column review.hidden is 'By an administrator: seen by nobody else, left out of the mean, and still the one review of its call.';
create index review_of_student on review (student_id, id);
create index review_of_teacher on review (teacher_id, id) where not hidden;
select keep_tally('review', 'id >> 13 as bucket, hidden, rating, utc_day(created_at) as created_at');

create table teacher_rating (
  teacher_id bigint primary key,
  reviews bigint not null default 0,
  stars bigint not null default 0,
  version bigint not null default 0
);
comment on table teacher_rating is 'The sum of the ratings that are not hidden and their number, by whoever writes one.';
