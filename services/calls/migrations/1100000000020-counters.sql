-- What the dashboard and the lists of calls count.

create table teacher_count (
  teacher_id bigint primary key,
  accepted bigint not null
);
comment on table teacher_count is 'How many calls a teacher has accepted, written by whoever has locked their live call.';

-- What the administrators' list of calls counts and by which it finds a far page; the dashboard adds it up.
select keep_tally('call', 'id >> 13 as bucket, state, call_type, utc_day(created_at) as created_at,
  utc_day(accepted_at) as accepted_at', 'coalesce(total_duration, 0)');
