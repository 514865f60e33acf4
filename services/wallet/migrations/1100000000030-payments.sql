-- Deposits, withdrawals, and what payment lists show.

create table deposit (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  ref text,
  details text,
  find text,
  provider text not null,
  -- the provider's own id of it
  provider_ref text,
  -- how often it entered success: each time posted deposit:{id}:{entries}
  entries int not null default 0,
  -- when the provider first said that it was paid: it is paid once, whatever else it says later
  paid_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index deposit_user on deposit (user_id, id);
create index deposit_status on deposit (status, id) include (amount);
create index deposit_created on deposit (created_at);
-- Deposits that nobody paid, oldest first.
create index deposit_unpaid on deposit (created_at) where status in ('initiated', 'pending');
create index deposit_find on deposit using gin (find gin_trgm_ops, short_parts(find));
create trigger found before insert or update of ref, details, method on deposit
  for each row execute function payment_found();

create table withdrawal (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  account text,
  ref text,
  details text,
  find text,
  -- how often it held money (withdrawal:{id}:hold:{holds}) and how often it entered success (withdrawal:{id}:{entries})
  holds int not null default 0,
  entries int not null default 0,
  -- who moved it to pending last, by the name of that moment, and when
  claimer_id bigint,
  claimer_name text,
  claimed_at timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now()
);
create index withdrawal_user on withdrawal (user_id, id);
create index withdrawal_status on withdrawal (status, id) include (amount);
create index withdrawal_created on withdrawal (created_at);
create index withdrawal_find on withdrawal using gin (find gin_trgm_ops, short_parts(find));
create trigger found before insert or update of ref, details, method on withdrawal
  for each row execute function payment_found();

-- One row per deposit, withdrawal and refund side, and one per participant of a call that grows with every charge.
create table payment (
  id bigint generated always as identity primary key,
  -- `deposit:12`, `call:<identifier>`, `call:<identifier>:refund:1`
  source text collate "C" not null,
  user_id bigint not null,
  type text not null check (type in ('deposit', 'withdrawal', 'call', 'refund')),
  direction text not null check (direction in ('in', 'out')),
  amount bigint not null check (amount >= 0),
  currency text not null,
  status text not null check (status in ('initiated', 'pending', 'success', 'failed', 'canceled')),
  method text,
  ref text,
  details text,
  find text,
  created_at timestamptz not null default app_now(),
  updated_at timestamptz not null default app_now(),
  constraint payment_source unique (source, user_id)
-- half empty pages: a call's payments grow with every step, and stay on their page without touching an index
) with (fillfactor = 50);
create index payment_user on payment (user_id, id);
create index payment_status on payment (status, id);
create index payment_type on payment (type, direction, id);
create index payment_created on payment (created_at);
create index payment_find on payment using gin (find gin_trgm_ops, short_parts(find));
create trigger found before insert or update of ref, details, method on payment
  for each row execute function payment_found();

-- Every event of a payment provider, once.
create table webhook_event (
  provider text not null,
  event_id text not null,
  type text not null,
  deposit_id bigint,
  received_at timestamptz not null default app_now(),
  primary key (provider, event_id)
);

-- History: the service writes and reads it, and can never change it.
select deny_service('update, delete, truncate', 'webhook_event');
select deny_service('delete, truncate', 'deposit', 'withdrawal', 'payment');

-- What the administrators' lists count and by which they find a far page; the dashboard adds it up.
select keep_tally('deposit', 'id >> 13 as bucket, status, utc_day(created_at) as created_at', 'amount');
select keep_tally('withdrawal', 'id >> 13 as bucket, status, utc_day(created_at) as created_at', 'amount');
select keep_tally('payment', 'id >> 13 as bucket, type, direction, status, utc_day(created_at) as created_at');
