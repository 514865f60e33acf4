-- What the relay needs: who leads, and the outbox read a lane at a time.

create table lease (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);
comment on table lease is 'Who does what only one replica shall do, until when by this database''s clock.';

create function outbox_lane(subject text) returns text language sql immutable parallel safe
return split_part(subject, '.', 1);
comment on function outbox_lane is 'The stream that an event goes to; what waits for one stream never waits for another.';

-- Never sorts: however many rows wait and whatever PostgreSQL knows of the table, the first of them are read from the
-- index alone. The row comparison starts at (lane, after) itself and not at what was sent before.
create function outbox_pending(lane text, after bigint, up_to int) returns setof outbox
language plpgsql stable set enable_sort = off as $$
begin
  return query
    select o.* from outbox o
    where o.sent_at is null and (outbox_lane(o.subject), o.id) > (lane, after)
      and outbox_lane(o.subject) <= lane
    order by outbox_lane(o.subject), o.id limit up_to;
end $$;
