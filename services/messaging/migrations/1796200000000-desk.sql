-- The desk: support cases, their notes and timelines, saved replies, and the administrators who answer.

create function fold(_text text) returns text language sql immutable parallel safe
as $$ select lower(public.unaccent('public.unaccent', coalesce(_text, ''))) $$;
comment on function fold is 'Without case and accents; ten times as fast as `normalised`, for long texts.';

-- What the desk searches: folding a text takes thirty times as long as searching it.
create table support_message_found (
  id bigint primary key,
  room_uuid uuid not null,
  text text not null
);
comment on column support_message_found.id is 'Of the message.';
create function support_message_found() returns trigger language plpgsql as $$
begin
  insert into support_message_found (id, room_uuid, text) values (new.id, new.room_uuid, fold(new.message));
  return null;
end $$;
create trigger found after insert on support_message for each row when (new.message <> '')
  execute function support_message_found();
select deny_service('update, delete, truncate', 'support_message_found');

create table admin_copy (
  id bigint primary key,
  version bigint not null,
  name text not null,
  has_desk boolean not null
);
comment on column admin_copy.version is 'Of identity; 0 when it was copied from a request, before the first event.';
comment on column admin_copy.has_desk is 'Active, and with the right `desk`.';

create table support_case (
  id bigint generated always as identity primary key,
  room_uuid uuid not null references support_room,
  user_id bigint not null,
  state text not null check (state in ('open', 'snoozed', 'resolved')),
  assignee_id bigint,
  labels text[] not null default '{}',
  snoozed_until timestamptz,
  subject text not null,
  waiting_since timestamptz,
  first_reply_at timestamptz,
  opened_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by bigint,
  reopened int not null default 0,
  score smallint check (score between 1 and 5),
  comment text,
  rated_at timestamptz,
  changed_by bigint,
  version bigint not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'resolved') = (resolved_at is not null)),
  check (state = 'snoozed' or snoozed_until is null)
) with (fillfactor = 80);
comment on column support_case.opened_at is 'The last opening: creation, or reopening.';
comment on column support_case.changed_by is 'The administrator of the last change that `version` counts.';
-- A person has at most one case that is not resolved.
create unique index support_case_live on support_case (user_id) where state <> 'resolved';
create index support_case_room on support_case (room_uuid);
create index support_case_user on support_case (user_id, id desc);
create index support_case_waiting on support_case (waiting_since, id);
create index support_case_state on support_case (state, waiting_since, id);
create index support_case_assignee on support_case (assignee_id, state, waiting_since, id);
create index support_case_labels on support_case using gin (labels);
create index support_case_snoozed on support_case (snoozed_until) where state = 'snoozed';
create index support_case_created on support_case (created_at);
create index support_case_replied on support_case (first_reply_at);
create index support_case_rated on support_case (rated_at) where rated_at is not null;
select deny_service('delete, truncate', 'support_case');
-- `GET desk/counts`, and the totals of the list.
select keep_tally('support_case', 'state, assignee_id');

create table support_case_event (
  id bigint generated always as identity primary key,
  case_id bigint not null references support_case,
  event text not null check (event in
    ('opened', 'reopened', 'woken', 'assigned', 'state', 'labels', 'subject', 'snoozed', 'rated')),
  by_id bigint,
  was text,
  becomes text,
  seconds bigint,
  at timestamptz not null
);
comment on table support_case_event is 'The audit of a case: never the text of a note, a subject or a comment.';
comment on column support_case_event.by_id is 'The administrator; null for the person and the system.';
comment on column support_case_event.seconds is 'Of a resolution: since the last opening.';
create index support_case_event_case on support_case_event (case_id, id);
create index support_case_event_at on support_case_event (event, at);
select deny_service('update, delete, truncate', 'support_case_event');

create table support_note (
  id bigint generated always as identity primary key,
  case_id bigint not null references support_case,
  author_id bigint not null,
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table support_note is 'For administrators with the right `desk` alone: never in an event, a log or an export.';
create index support_note_case on support_note (case_id, id);
create index support_note_text on support_note using gin (fold(text) gin_trgm_ops);

create table support_reply (
  id bigint generated always as identity primary key,
  shortcut text not null unique,
  text_en text not null,
  text_fr text not null,
  created_by bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
