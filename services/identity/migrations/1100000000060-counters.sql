-- What the dashboard and the lists count, and the copies of what other services tell.

create table balance_copy (user_id bigint primary key, available bigint not null, version bigint not null);
create table accepted_call (identifier text primary key, teacher_id bigint not null);
create table call_count (teacher_id bigint primary key, calls int not null);
create table stats_copy (service text primary key, data jsonb not null, as_of timestamptz not null);

-- What the administrators' lists count and by which they find a far page.
select keep_tally('account', '{status, platform, verified}', 'deleted_at');
select keep_tally('audit', '{admin_id}');

create function tally_day(at timestamptz) returns text language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD');
comment on function tally_day is 'The UTC day in a counter''s name.';

-- Accounts are counted by platform, and by the day of their registration.
create function tally_account_new() returns trigger language plpgsql
as $$
begin
  perform tally_add(c.name, c.count)
  from (
    select counter.name, count(*) as count from added
    cross join lateral (values ('account:' || platform, deleted_at is null),
      ('registered:' || tally_day(created_at) || ':' || platform, true)) as counter(name, holds)
    where holds group by counter.name
  ) c;
  return null;
end $$;

create function tally_account_change() returns trigger language plpgsql
as $$
begin
  if old.deleted_at is null then perform tally_add('account:' || old.platform, -1); end if;
  perform tally_add('registered:' || tally_day(old.created_at) || ':' || old.platform, -1);
  if tg_op = 'DELETE' then return null; end if;
  if new.deleted_at is null then perform tally_add('account:' || new.platform, 1); end if;
  perform tally_add('registered:' || tally_day(new.created_at) || ':' || new.platform, 1);
  return null;
end $$;

create trigger account_tally_new after insert on account referencing new table as added
  for each statement execute function tally_account_new();
create trigger account_tally_change after update of platform, deleted_at, created_at on account
  for each row when ((old.platform, old.deleted_at is null, old.created_at)
    is distinct from (new.platform, new.deleted_at is null, new.created_at))
  execute function tally_account_change();
create trigger account_tally_gone after delete on account for each row execute function tally_account_change();
