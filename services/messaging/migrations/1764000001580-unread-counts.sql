-- How many messages each side of a room has not read, and how many a person has not read in all rooms together.

alter table room add column student_unread int, add column teacher_unread int;
alter table room alter column student_unread set default 0, alter column teacher_unread set default 0;
comment on column room.student_unread is 'Both are null until the room is touched or a job has counted it.';

create table unread_share (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  messages bigint not null
) with (fillfactor = 50);
create index unread_share_user on unread_share (user_id);
comment on table unread_share is 'The sum of a person''s shares is the sum of their counts in rooms. A writer adds to a share that nobody else has locked, so none waits for another; one share may be negative.';

-- For the release before, which does not count, and for rooms that it has written; the next release drops it.
create function count_unread() returns trigger language plpgsql as $$
begin
  new.student_unread := case when new.teacher_last_id <= new.student_read_id then 0 else (
    select count(*) from message where room_uuid = new.uuid and id > new.student_read_id and sender_id = new.teacher_id) end;
  new.teacher_unread := case when new.student_last_id <= new.teacher_read_id then 0 else (
    select count(*) from message where room_uuid = new.uuid and id > new.teacher_read_id and sender_id = new.student_id) end;
  return new;
end $$;

-- Who counts changes a side's count whenever a message to it is sent or read.
create trigger room_uncounted before update on room for each row when (
  new.student_unread is null or new.teacher_unread is null
  or (new.teacher_last_id, new.student_read_id) is distinct from (old.teacher_last_id, old.student_read_id)
    and new.student_unread = old.student_unread
  or (new.student_last_id, new.teacher_read_id) is distinct from (old.student_last_id, old.teacher_read_id)
    and new.teacher_unread = old.teacher_unread
) execute function count_unread();

create function share_unread() returns trigger language plpgsql
-- A plan made while the table is small would read the whole of it when it has grown.
set enable_seqscan = off
as $$
begin
  with side as (
    select after.student_id as user_id, after.student_unread - coalesce(before.student_unread, 0) as more
    from after join before using (uuid)
    union all
    select after.teacher_id, after.teacher_unread - coalesce(before.teacher_unread, 0) from after join before using (uuid)
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
