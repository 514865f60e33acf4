-- The ledger: transfers are the truth, account rows cache what a user has and how much of it is held.

create table account (
  user_id bigint primary key check (user_id > 0),
  balance bigint not null default 0,
  held bigint not null default 0,
  closed_until timestamptz,
  version bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint account_covered check (held >= 0 and balance >= held)
) with (fillfactor = 50);
comment on column account.closed_until is
  'No money is newly held, withdrawn or paid in before this: a moment ahead while the deletion is decided, infinity after it.';

-- Accounts that are not a user's have no row to cache a balance: theirs are sums of transfers.
create table system_account (
  id bigint primary key check (id < 0),
  name text not null unique
);
insert into system_account (id, name) values
  (-1, 'platform:revenue'),
  (-2, 'platform:forfeits'),
  (-3, 'clearing:unclaimed'),
  (-10, 'clearing:sandbox'),
  (-11, 'clearing:stripe'),
  (-20, 'clearing:payouts');

-- Positive account numbers are users, negative ones system accounts. What belongs together shares a reference, and lies in
-- one partition by it: what is posted under one reference is unique there. Ids come from one sequence.
create table transfer (
  id bigint generated always as identity,
  kind text not null check (kind in ('deposit', 'deposit_reversal', 'withdrawal', 'withdrawal_reversal', 'call',
    'commission', 'refund', 'commission_refund', 'forfeit')),
  reference text collate "C" not null,
  debit_account bigint not null,
  credit_account bigint not null check (credit_account <> debit_account),
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default app_now(),
  constraint transfer_reference unique (reference, kind)
) partition by hash (reference);
create index transfer_pkey on transfer (id);
create index transfer_debit on transfer (debit_account, id);
create index transfer_credit on transfer (credit_account, id);
select create_partitions('transfer', 8);

create table hold (
  reference text collate "C" primary key,
  user_id bigint not null,
  amount bigint not null check (amount >= 0),
  state text not null check (state in ('open', 'released', 'expired')),
  -- null: held until somebody decides
  expires_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
) with (fillfactor = 50);
create index hold_open on hold (user_id) where state = 'open';
create index hold_expiry on hold (expires_at) where state = 'open';

-- History: the service writes and reads it, and can never change it.
select deny_service('insert, update, delete, truncate', 'system_account');
select deny_service('update, delete, truncate', 'transfer');
select deny_service('delete, truncate', 'account', 'hold');

-- Sums of all transfers by UTC day and kind, counted from time to time by a job, so that no posting waits for a common row.
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
