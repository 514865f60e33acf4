-- What the dashboard and the lists of calls count.

create table teacher_tally (
  teacher_id bigint primary key,
  accepted bigint not null default 0,
  seconds bigint not null default 0
);
comment on table teacher_tally is 'Accepted calls and their seconds: a sum over teachers is the dashboard''s figure.';

-- What the administrators' list of calls counts and by which it finds a far page.
select keep_tally('call', '{state, call_type}');

create function tally_day(at timestamptz) returns text language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD');
comment on function tally_day is 'The UTC day in a counter''s name.';

-- The running calls, and the accepted ones with their seconds by UTC day.
create function tally_call_new() returns trigger language plpgsql
as $$
begin
  perform tally_add('active', c.count) from (select count(*) as count from added where state = 'active') c;
  perform tally_add('accepted:' || c.day, c.count, c.seconds)
  from (
    select tally_day(accepted_at) as day, count(*) as count, coalesce(sum(total_duration), 0) as seconds
    from added where accepted_at is not null group by 1
  ) c;
  return null;
end $$;

create function tally_call_change() returns trigger language plpgsql
as $$
declare
  was text := 'accepted:' || tally_day(old.accepted_at);
  now_is text := case tg_op when 'UPDATE' then 'accepted:' || tally_day(new.accepted_at) end;
  seconds int := coalesce(old.total_duration, 0);
begin
  perform tally_add('active', coalesce((tg_op = 'UPDATE' and new.state = 'active')::int, 0) - (old.state = 'active')::int);
  if was = now_is then
    perform tally_add(was, 0, coalesce(new.total_duration, 0) - seconds);
    return null;
  end if;
  if was is not null then perform tally_add(was, -1, -seconds); end if;
  if now_is is not null then perform tally_add(now_is, 1, coalesce(new.total_duration, 0)); end if;
  return null;
end $$;

create trigger call_tally_new after insert on call referencing new table as added
  for each statement execute function tally_call_new();
create trigger call_tally_change after update of state, accepted_at, total_duration on call
  for each row when ((old.state, old.accepted_at, old.total_duration)
    is distinct from (new.state, new.accepted_at, new.total_duration))
  execute function tally_call_change();
create trigger call_tally_gone after delete on call for each row execute function tally_call_change();
