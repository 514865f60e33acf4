-- Counts what is unread in the rooms that neither a writer nor the job of the last release has come to, beside writers:
-- its trigger does the counting.
create procedure count_old_rooms() language plpgsql as $$
declare
  counted int;
begin
  loop
    update room set student_unread = null where uuid = any(array(
      select uuid from room where student_unread is null order by student_id limit 200 for no key update skip locked));
    get diagnostics counted = row_count;
    commit;
    exit when not exists (select from room where student_unread is null);
    -- All that are left are being written.
    if counted = 0 then perform pg_sleep(0.1); end if;
  end loop;
end $$;
