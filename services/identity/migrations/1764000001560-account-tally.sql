-- Accounts are counted by platform and by the day of their registration when they are written, so that the dashboard
-- reads a few counters.

create function tally_day(at timestamptz) returns text language sql immutable parallel safe
return to_char(at at time zone 'UTC', 'YYYY-MM-DD');

create function tally_account_new() returns trigger language plpgsql
as $$
begin
  perform tally_add(c.name, c.count)
  from (
    select counter.name, count(*) as count from added
    cross join lateral (values ('account:' || platform, deleted_at is null),
      ('registered:' || tally_day(created_at) || ':' || platform, true)) as counter(name, holds)
    where holds and tally_has('account', id) group by counter.name
  ) c;
  return null;
end $$;

create function tally_account_change() returns trigger language plpgsql
as $$
begin
  if not tally_has('account', old.id) then return null; end if;
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

-- The triggers keep writers away until this migration has committed: whoever writes later is counted by them.
insert into tally_backlog (name, after, until) select 'account', '0', coalesce(max(id), 0)::text from account;
