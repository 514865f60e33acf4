-- The ledger is counted in steps: however much has piled up, one statement takes at most so many ids into the totals.

create function count_ledger(_step bigint) returns boolean language plpgsql
as $$
declare
  mark record;
  upto bigint;
begin
  select counted_to, next_to, next_xid into mark from ledger_mark for update skip locked;
  if not found then return false; end if;
  upto := mark.counted_to;
  if mark.next_to > mark.counted_to and pg_snapshot_xmin(pg_current_snapshot()) > mark.next_xid then
    upto := least(mark.next_to, mark.counted_to + _step);
    insert into ledger_total as total (kind, count, amount)
    select kind, count(*), sum(amount) from transfer where id > mark.counted_to and id <= upto group by kind
    on conflict (kind) do update set count = total.count + excluded.count, amount = total.amount + excluded.amount;
    update ledger_mark set counted_to = upto;
    -- what next_xid vouches for is not counted yet: it stays
    if upto < mark.next_to then return true; end if;
  end if;
  update ledger_mark set next_xid = pg_current_xact_id(),
    next_to = greatest(next_to, coalesce((select max(id) from transfer), 0));
  return false;
end $$;
comment on function count_ledger(bigint) is 'Answers whether there is more to count at once.';
