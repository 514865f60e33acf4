-- A confirmed lesson keeps its time until the other side agrees to another one, which is held meanwhile.
alter table booking add column proposed_starts_at timestamptz, add column proposed_ends_at timestamptz;
comment on column booking.proposed_starts_at is 'Of a confirmed lesson that one side would like to move: `asked` answers. Null otherwise.';

-- The release before knows nothing of proposals: what it moves or ends has none any more.
create function booking_without_proposal() returns trigger language plpgsql as $$
begin
  new.proposed_starts_at := null;
  new.proposed_ends_at := null;
  return new;
end $$;
create trigger without_proposal before update on booking for each row
  when (new.proposed_starts_at is not null and (new.status <> 'confirmed' or new.starts_at <> old.starts_at))
  execute function booking_without_proposal();

-- Under their names, by which both releases know them: nobody is in two places, now or at a proposed time.
alter table booking
  drop constraint booking_teacher_free,
  drop constraint booking_student_free,
  add constraint booking_teacher_free exclude using gist (
    int8range(teacher_id, teacher_id, '[]') with &&,
    (case when proposed_starts_at is null then tstzmultirange(tstzrange(starts_at, ends_at))
      else tstzmultirange(tstzrange(starts_at, ends_at), tstzrange(proposed_starts_at, proposed_ends_at)) end) with &&
  ) where (status in ('requested', 'confirmed')),
  add constraint booking_student_free exclude using gist (
    int8range(student_id, student_id, '[]') with &&,
    (case when proposed_starts_at is null then tstzmultirange(tstzrange(starts_at, ends_at))
      else tstzmultirange(tstzrange(starts_at, ends_at), tstzrange(proposed_starts_at, proposed_ends_at)) end) with &&
  ) where (status in ('requested', 'confirmed')),
  add constraint booking_proposal check ((proposed_starts_at is null) = (proposed_ends_at is null));
create index booking_proposed on booking (teacher_id, proposed_starts_at) where proposed_starts_at is not null;
