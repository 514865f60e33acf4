-- Files that people send each other: where the bytes lie, FILES_URL says. A key leads to its file while it is visible.

create table file (
  id bigint generated always as identity primary key,
  key text not null unique,
  owner_id bigint not null,
  name text not null,
  type text not null check (type in ('image', 'audio', 'video', 'file')),
  content_type text not null,
  size bigint not null,
  width int,
  height int,
  sent boolean not null default false,
  state text not null default 'pending' check (state in ('pending', 'visible', 'removed')),
  changed_at timestamptz not null default app_now(),
  created_at timestamptz not null default app_now()
);
create index file_owner on file (owner_id);
create index file_cleaning on file (state, changed_at) where state <> 'visible';
create index file_unsent on file (created_at) where state = 'visible' and not sent;
comment on column file.state is 'Pending: its bytes are on their way. Removed: they are to be removed, then this row.';
comment on column file.sent is 'A message has led to it.';

create table file_sender (
  key text not null references file (key) on delete cascade,
  sender_id bigint not null,
  primary key (key, sender_id)
);
create index file_sender_sender on file_sender (sender_id);
comment on table file_sender is 'Whose messages have led to a file: with the last of these accounts it goes.';

create table upload_day (
  day date not null,
  owner_id bigint not null,
  files int not null,
  bytes bigint not null,
  primary key (day, owner_id)
);
comment on table upload_day is 'What a person has uploaded in a UTC day, whatever became of it.';
