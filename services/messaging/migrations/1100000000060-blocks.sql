-- Who wants to hear nothing from whom, what people report about each other, and what administrators did about it.

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
comment on table block is 'A block that is lifted stays as a row, so that its versions go on.';
comment on column block.created_at is 'Since when, the last time.';
create index block_newest on block (user_id, created_at desc, id desc) where active;
create index block_blocked on block (blocked_id);

create table report (
  id bigint generated always as identity primary key,
  reporter_id bigint not null,
  user_id bigint not null,
  reason text not null check (reason in ('spam', 'abuse', 'fraud', 'other')),
  details text not null,
  room_uuid uuid references room,
  identifier text,
  status text not null default 'open' check (status in ('open', 'resolved', 'rejected')),
  note text not null default '',
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  check (reporter_id <> user_id)
);
comment on column report.user_id is 'Who is reported.';
comment on column report.identifier is 'The call of the two that it is about.';
create index report_status on report (status, id desc);
create index report_user on report (user_id, id desc);
create index report_reporter on report (reporter_id);
create index report_text on report using gin
  (normalised(details || ' ' || note) gin_trgm_ops, short_parts(normalised(details || ' ' || note)));
select deny_service('delete, truncate', 'report');
-- What the administrators' list of reports counts and by which it finds a far page.
select keep_tally('report', 'id >> 13 as bucket, status, utc_day(created_at) as created_at');
