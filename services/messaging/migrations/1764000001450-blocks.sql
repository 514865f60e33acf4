-- Who wants to hear nothing from whom. A block that is lifted stays as a row, so that its versions go on.
create table block (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  blocked_id bigint not null,
  active boolean not null default true,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  unique (user_id, blocked_id),
  check (user_id <> blocked_id)
);
comment on column block.created_at is 'Since when, the last time.';
create index block_newest on block (user_id, created_at desc, id desc) where active;
create index block_blocked on block (blocked_id);
