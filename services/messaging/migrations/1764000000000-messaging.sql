-- Copies of what other services own, fed by their events. `version` is the owner's: an older one never overwrites.

create table user_copy (
  id bigint primary key,
  version bigint not null,
  platform text not null check (platform in ('student', 'teacher')),
  status text not null,
  deleted boolean not null,
  name text not null,
  email text not null,
  phone_number text not null,
  photo text not null,
  address text not null,
  city text not null,
  country text not null,
  about_me text not null,
  level_study text,
  subjects_interest text not null,
  domains text[] not null,
  experience int not null,
  availability text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table balance_copy (
  user_id bigint primary key,
  version bigint not null,
  available bigint not null
);

create table device_copy (
  user_id bigint primary key,
  version bigint not null,
  device_keys text[] not null
);

create table setting_copy (
  name text primary key,
  version bigint not null,
  value bigint not null
);

create table call_copy (
  identifier text primary key,
  version bigint not null,
  state text not null,
  room_uuid uuid not null,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index call_copy_live on call_copy (room_uuid) where state in ('ringing', 'active');
create index call_copy_over on call_copy (ended_at) where state not in ('ringing', 'active');

-- Rooms and messages. A read cursor is the id of the newest message of the partner that this side has read; every unread
-- count is derived from it. `..._last_id` is the newest message that this side has sent, 0 when none.

create table room (
  uuid uuid primary key,
  student_id bigint not null,
  teacher_id bigint not null,
  version bigint not null default 1,
  student_read_id bigint not null default 0,
  teacher_read_id bigint not null default 0,
  student_last_id bigint not null default 0,
  teacher_last_id bigint not null default 0,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  unique (student_id, teacher_id),
  check (student_read_id <= teacher_last_id and teacher_read_id <= student_last_id)
) with (fillfactor = 70);
create index room_teacher on room (teacher_id);
comment on column room.updated_at is 'Latest activity: creation or newest message. Not indexed, so that a send stays a HOT update.';

create table message (
  id bigint generated always as identity,
  room_uuid uuid not null references room,
  sender_id bigint not null,
  message text not null,
  type text not null,
  message_link text,
  client_message_id text,
  created_at timestamptz not null,
  primary key (room_uuid, id)
);
create unique index message_client on message (room_uuid, sender_id, client_message_id) where client_message_id is not null;
create index message_recent on message using brin (id) with (autosummarize = on, pages_per_range = 32);

create table message_tally (
  only_row boolean primary key default true check (only_row),
  up_to_id bigint not null default 0,
  messages bigint not null default 0
);
insert into message_tally default values;
comment on table message_tally is 'How many messages have an id <= up_to_id; newer ones are counted when asked.';

-- Support: one room per user. `staff` is every administrator together.

create table support_room (
  uuid uuid primary key default gen_random_uuid(),
  user_id bigint not null unique,
  user_read_id bigint not null default 0,
  staff_read_id bigint not null default 0,
  user_last_id bigint not null default 0,
  staff_last_id bigint not null default 0,
  last_message_at timestamptz,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (user_read_id <= staff_last_id and staff_read_id <= user_last_id)
);
create index support_room_activity on support_room (updated_at desc, uuid desc);

create table support_message (
  id bigint generated always as identity,
  room_uuid uuid not null references support_room,
  sender_id bigint not null,
  by_staff boolean not null,
  message text not null,
  type text not null,
  message_link text,
  client_message_id text,
  created_at timestamptz not null,
  primary key (room_uuid, id)
);
create unique index support_message_client on support_message (room_uuid, sender_id, client_message_id)
  where client_message_id is not null;

-- Push: one row per notification and device, gone when delivered.

create table push (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  device_key text not null,
  kind text not null check (kind in ('message', 'support', 'incoming_call', 'missed_call')),
  title text not null,
  body text not null,
  data jsonb not null,
  attempts int not null default 0,
  created_at timestamptz not null default app_now(),
  next_attempt_at timestamptz not null default app_now(),
  expires_at timestamptz not null
);
create index push_due on push (next_attempt_at);
create index push_user on push (user_id);

create table dead_device (
  device_key text primary key,
  died_at timestamptz not null default app_now()
);
comment on table dead_device is 'Keys that the push provider has declared gone: nothing is sent to them again.';

-- What people wrote is history: the service itself can neither change nor remove it.
do $$
declare service_role text := regexp_replace(current_user, '_owner$', '_service');
begin
  if service_role <> current_user and exists (select from pg_roles where rolname = service_role) then
    execute format('revoke update, delete, truncate on message, support_message from %I', service_role);
    execute format('revoke delete, truncate on room, support_room from %I', service_role);
    execute format('revoke insert, delete, truncate on message_tally from %I', service_role);
  end if;
end $$;
