-- How often a lesson itself has changed, for calendars: reminders and outcomes raise `version`, and not this.

alter table booking add column revision int, add column revised_at timestamptz;
comment on column booking.revision is
  'The SEQUENCE of the lesson in calendars. Null: `version` until the first change of the row.';
comment on column booking.revised_at is 'When the lesson itself changed last. Null: `updated_at`.';

-- A trigger, so that it also holds for changes by a replica of the release before.
create function revise_booking() returns trigger language plpgsql as $$
begin
  if (new.starts_at, new.ends_at, new.note, new.status in ('confirmed', 'done', 'missed'))
    is distinct from (old.starts_at, old.ends_at, old.note, old.status in ('confirmed', 'done', 'missed'))
  then
    new.revision := coalesce(old.revision, old.version) + 1;
    new.revised_at := app_now();
  else
    new.revision := coalesce(old.revision, old.version);
    new.revised_at := coalesce(old.revised_at, old.updated_at);
  end if;
  return new;
end $$;
create trigger booking_revised before update on booking for each row execute function revise_booking();
