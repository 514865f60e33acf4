-- Some events are urgent: the relay reads them before the others of their stream. Replicas of the release before write
-- none, and send all in the order of their ids.

alter table outbox add column urgent boolean not null default false;
comment on column outbox.urgent is 'Sent before other events, but never before an earlier one of its noun.';

-- Like outbox_pending, without rows that the caller knows already.
create function outbox_next(lane text, after bigint, known bigint[], up_to int) returns setof outbox
language plpgsql stable set enable_sort = off as $$
begin
  return query
    select o.* from outbox o
    where o.sent_at is null and (outbox_lane(o.subject), o.id) > (lane, after)
      and outbox_lane(o.subject) <= lane and o.id <> all (known)
    order by outbox_lane(o.subject), o.id limit up_to;
end $$;

-- A lane's urgent rows, each behind the earlier rows of its noun. Finding that there are none costs one look into a
-- small index.
create function outbox_urgent(lane text, after bigint, known bigint[], up_to int) returns setof outbox
language plpgsql stable as $$
begin
  if not exists (
    select from outbox o
    where o.sent_at is null and o.urgent and o.id > after and outbox_lane(o.subject) = lane and o.id <> all (known)
  ) then
    return;
  end if;
  return query
    with noun as (
      select o.subject, o.aggregate_id, max(o.id) as last from outbox o
      where o.sent_at is null and o.urgent and o.id > after and outbox_lane(o.subject) = lane and o.id <> all (known)
      group by o.subject, o.aggregate_id
    )
    select o.* from outbox o join noun on o.subject = noun.subject and o.aggregate_id = noun.aggregate_id
    where o.sent_at is null and (outbox_lane(o.subject), o.id) > (lane, after) and outbox_lane(o.subject) <= lane
      and o.id <= noun.last and o.id <> all (known)
    order by o.id limit up_to;
end $$;
