-- Sums of all transfers by kind, counted from time to time, so that statistics need not read the whole ledger and no
-- posting waits for a common row.

create table ledger_total (
  kind text primary key,
  count bigint not null,
  amount numeric not null
);

create table ledger_mark (
  only_row boolean primary key default true check (only_row),
  -- every transfer up to here is in ledger_total
  counted_to bigint not null,
  -- the highest id seen by the transaction next_xid: complete once all transactions as old as that have ended
  next_to bigint not null,
  next_xid xid8 not null
);
insert into ledger_mark (counted_to, next_to, next_xid) values (0, 0, '0');

-- Ids are given before commit, so a lower id may appear later; a posting has its transaction id before its transfer's id.
create function count_ledger() returns void language plpgsql
as $$
declare
  mark record;
begin
  select counted_to, next_to, next_xid into mark from ledger_mark for update skip locked;
  if not found then return; end if;
  if mark.next_to > mark.counted_to and pg_snapshot_xmin(pg_current_snapshot()) > mark.next_xid then
    insert into ledger_total as total (kind, count, amount)
    select kind, count(*), sum(amount) from transfer where id > mark.counted_to and id <= mark.next_to group by kind
    on conflict (kind) do update set count = total.count + excluded.count, amount = total.amount + excluded.amount;
    update ledger_mark set counted_to = mark.next_to;
  end if;
  update ledger_mark set next_xid = pg_current_xact_id(),
    next_to = greatest(next_to, coalesce((select max(id) from transfer), 0));
end $$;
