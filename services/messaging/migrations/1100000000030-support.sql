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
-- What waits for an answer of the administrators is found without reading what does not.
create index support_room_unanswered on support_room (updated_at desc, uuid desc) where user_last_id > staff_last_id;

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

-- History, like the messages between people.
select deny_service('update, delete, truncate', 'support_message');
select deny_service('delete, truncate', 'support_room');
