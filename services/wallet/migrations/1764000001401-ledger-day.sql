-- Sums of all transfers by UTC day and kind, counted from time to time by a job. They replace ledger_total and
-- ledger_mark, which the previous release still updates.

create table ledger_day (
  day date not null,
  kind text not null,
  count bigint not null,
  amount numeric not null,
  -- where the day's transfers of this kind stand in the order of the ledger
  first_id bigint not null,
  last_id bigint not null,
  primary key (day, kind)
);

create table ledger_day_mark (
  only_row boolean primary key default true check (only_row),
  -- every transfer up to here is in ledger_day
  counted_to bigint not null,
  -- the highest id seen by the transaction next_xid: complete once all transactions as old as that have ended
  next_to bigint not null,
  next_xid xid8 not null
);
insert into ledger_day_mark (counted_to, next_to, next_xid) values (0, 0, '0');
