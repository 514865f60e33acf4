-- Deposits and withdrawals are counted by status when they are written, so that the dashboard reads a few counters.

create function tally_status_new() returns trigger language plpgsql
as $$
begin
  perform tally_add(tg_table_name || ':' || c.status, c.count, c.amount)
  from (select status, count(*) as count, sum(amount) as amount from added group by status) c;
  return null;
end $$;

create function tally_status_change() returns trigger language plpgsql
as $$
begin
  if not tally_has(tg_table_name, old.id) then return null; end if;
  perform tally_add(tg_table_name || ':' || old.status, -1, -old.amount);
  if tg_op = 'UPDATE' then perform tally_add(tg_table_name || ':' || new.status, 1, new.amount); end if;
  return null;
end $$;

create trigger deposit_tally_new after insert on deposit referencing new table as added
  for each statement execute function tally_status_new();
create trigger deposit_tally_change after update of status, amount on deposit
  for each row when ((old.status, old.amount) is distinct from (new.status, new.amount))
  execute function tally_status_change();
create trigger deposit_tally_gone after delete on deposit for each row execute function tally_status_change();

create trigger withdrawal_tally_new after insert on withdrawal referencing new table as added
  for each statement execute function tally_status_new();
create trigger withdrawal_tally_change after update of status, amount on withdrawal
  for each row when ((old.status, old.amount) is distinct from (new.status, new.amount))
  execute function tally_status_change();
create trigger withdrawal_tally_gone after delete on withdrawal for each row execute function tally_status_change();

-- The triggers keep writers away until this migration has committed: whoever writes later is counted by them.
insert into tally_backlog (name, after, until) select 'deposit', '0', coalesce(max(id), 0)::text from deposit;
insert into tally_backlog (name, after, until) select 'withdrawal', '0', coalesce(max(id), 0)::text from withdrawal;
