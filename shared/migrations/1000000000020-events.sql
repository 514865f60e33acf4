-- Events: what is to be published, what was consumed, and what could not be.

create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null default uuidv7(),
  subject text not null,
  name text not null,
  aggregate_id text not null,
  aggregate_version bigint not null,
  data jsonb not null,
  context jsonb not null,
  urgent boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  stream_seq bigint
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on column outbox.stream_seq is 'Where the broker has stored it.';
comment on column outbox.urgent is 'Sent before other events, but never before an earlier one of its noun.';

create table lease (
  name text primary key,
  holder uuid not null,
  until timestamptz not null
);
comment on table lease is 'Who does what only one replica shall do, until when by this database''s clock.';

create function outbox_lane(subject text) returns text language sql immutable parallel safe
return split_part(subject, '.', 1);
comment on function outbox_lane is 'The stream that an event goes to; what waits for one stream never waits for another.';

create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_unsent_lane on outbox (outbox_lane(subject), id) where sent_at is null;
create index outbox_urgent_unsent on outbox (id) where sent_at is null and urgent;
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- Never sorts: however many rows wait and whatever PostgreSQL knows of the table, the first of them are read from the
-- index alone. The row comparison starts at (lane, after) itself and not at what was sent before.
create function outbox_next(lane text, after bigint, known bigint[], up_to int) returns setof outbox
language plpgsql stable set enable_sort = off as $$
begin
  return query
    select o.* from outbox o
    where o.sent_at is null and (outbox_lane(o.subject), o.id) > (lane, after)
      and outbox_lane(o.subject) <= lane and o.id <> all (known)
    order by outbox_lane(o.subject), o.id limit up_to;
end $$;
comment on function outbox_next is 'A lane''s next rows to send, without those that the caller knows already.';

-- Finding that there are none costs one look into a small index.
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
comment on function outbox_urgent is 'A lane''s urgent rows, each behind the earlier rows of its noun.';

create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
comment on table inbox is 'Events that were taken in, in the transaction of their effect.';
create index inbox_received on inbox (received_at);

create table event_failure (
  consumer text not null,
  event_id uuid not null,
  failures int not null default 1,
  failed_at timestamptz not null default clock_timestamp(),
  primary key (consumer, event_id)
);
comment on table event_failure is 'How often a handler failed on an event by its own fault, over all replicas; gone when it is a dead letter.';
create index event_failure_failed on event_failure (failed_at);

create table dead_letter (
  id bigint generated always as identity primary key,
  consumer text not null,
  event_id uuid not null,
  name text not null,
  message jsonb not null,
  error text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (consumer, event_id)
);
comment on table dead_letter is 'Events that a consumer has given up, until an operator has them published again.';
