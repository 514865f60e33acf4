-- A room that by its time was made before the counter belongs to the backlog, also when it is newer in truth and the
-- database's clock has gone back: it is counted once.

create or replace function tally_room() returns trigger language plpgsql
as $$
declare
  backlog record;
begin
  select after::uuid as after, since into backlog from tally_backlog where name = 'room';
  if exists (select from added where created_at < backlog.since and uuid > backlog.after) then
    -- Until this transaction has ended the backlog takes no step, as with tally_has.
    select after::uuid as after, since into backlog from tally_backlog where name = 'room' for share;
  end if;
  perform tally_add('room', count(*)) from added
  where not coalesce(created_at < backlog.since and uuid > backlog.after, false);
  return null;
end $$;
