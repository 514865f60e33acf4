-- Counters that the transaction of whoever writes keeps, in slots: a transaction adds to a slot that no other one is at,
-- so nobody ever waits. A counter is the sum of its slots.

create table tally (
  name text collate "C" not null,
  slot bigint generated always as identity,
  count bigint not null,
  amount numeric not null,
  primary key (name, slot)
) with (fillfactor = 50);
comment on column tally.name is 'What is counted, in words parted by colons: `deposit:success`.';

-- Rows that were there before their counter and are not in it yet, in the order of their keys.
create table tally_backlog (
  name text primary key,
  -- what is not counted: after < key <= until
  after text not null,
  until text not null,
  -- rows made since then are counted by their writers
  since timestamptz not null default app_now()
);

create function tally_add(_name text, _count bigint, _amount numeric default 0) returns void language plpgsql
as $$
declare
  free bigint;
begin
  if _count = 0 and _amount = 0 then return; end if;
  select slot into free from tally where name = _name order by slot limit 1 for update skip locked;
  if found then
    update tally set count = count + _count, amount = amount + _amount where name = _name and slot = free;
  else
    insert into tally (name, count, amount) values (_name, _count, _amount);
  end if;
end $$;
comment on function tally_add is 'Adds to a counter. Call it as often as you like: it waits for nobody.';

create function tally_has(_name text, _id bigint) returns boolean language plpgsql
as $$
declare
  backlog record;
begin
  select after::bigint as after, until::bigint as until into backlog from tally_backlog where name = _name;
  if not found or _id <= backlog.after or _id > backlog.until then return true; end if;
  select after::bigint as after into backlog from tally_backlog where name = _name for share;
  return _id <= backlog.after;
end $$;
comment on function tally_has is
  'Whether a row is in its counter. While it is not, the backlog takes no step until the transaction that asks has ended.';
