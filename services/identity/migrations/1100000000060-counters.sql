-- What the dashboard and the lists count, and the copies of what other services tell.

create table balance_copy (user_id bigint primary key, available bigint not null, version bigint not null);
create table accepted_call (identifier text primary key, teacher_id bigint not null);
create table call_count (teacher_id bigint primary key, calls int not null);
create table rating_copy (
  teacher_id bigint primary key,
  reviews int not null,
  stars bigint not null,
  version bigint not null,
  ranked_by bigint not null default 0
);
comment on column rating_copy.ranked_by is 'The version of the prior that the account''s rating_gain was computed with.';
create index rating_copy_ranked on rating_copy (ranked_by);
create table stats_copy (service text primary key, data jsonb not null, as_of timestamptz not null);

-- What the administrators' lists count and by which they find a far page; the dashboard adds it up.
select keep_tally('account', 'id >> 13 as bucket, status, platform, verified, deleted_at is not null as deleted,
  utc_day(created_at) as created_at');
select keep_tally('audit', 'id >> 13 as bucket, admin_id, utc_day(created_at) as created_at');
