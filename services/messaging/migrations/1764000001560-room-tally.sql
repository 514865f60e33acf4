-- Rooms are counted when they are made, so that the dashboard reads a few counters.

create function tally_room() returns trigger language plpgsql
as $$
begin
  perform tally_add('room', count(*)) from added;
  return null;
end $$;

create trigger room_tally_new after insert on room referencing new table as added
  for each statement execute function tally_room();

-- The trigger keeps writers away until this migration has committed. Rooms have no order in which they were made:
-- those of the backlog are the ones made until then.
insert into tally_backlog (name, after, until)
select 'room', case when exists (select from room) then '00000000-0000-0000-0000-000000000000' else until end, until
from (select 'ffffffff-ffff-ffff-ffff-ffffffffffff' as until) as last;
