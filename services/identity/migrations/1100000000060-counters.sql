-- What the dashboard and the lists count, and the copies of what other services tell.

create table balance_copy (user_id bigint primary key, available bigint not null, version bigint not null);
create table accepted_call (identifier text primary key, teacher_id bigint not null);
create table call_count (teacher_id bigint primary key, calls int not null);
create table stats_copy (service text primary key, data jsonb not null, as_of timestamptz not null);

-- What the administrators' lists count and by which they find a far page; the dashboard adds it up.
select keep_tally('account', 'id >> 13 as bucket, status, platform, verified, deleted_at is not null as deleted,
  utc_day(created_at) as created_at');
select keep_tally('audit', 'id >> 13 as bucket, admin_id, utc_day(created_at) as created_at');
