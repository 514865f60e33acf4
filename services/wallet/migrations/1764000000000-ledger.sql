-- The ledger: transfers are the truth, account rows cache what a user has and how much of it is held.

create table account (
  user_id bigint primary key check (user_id > 0),
  balance bigint not null default 0,
  held bigint not null default 0,
  version bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint account_covered check (held >= 0 and balance >= held)
) with (fillfactor = 50);

-- Accounts that are not a user's have no row to cache a balance: theirs are sums of transfers.
create table system_account (
  id bigint primary key check (id < 0),
  name text not null unique
);
insert into system_account (id, name) values
  (-1, 'platform:revenue'),
  (-2, 'platform:forfeits'),
  (-10, 'clearing:sandbox'),
  (-11, 'clearing:stripe'),
  (-20, 'clearing:payouts');

-- Positive account numbers are users, negative ones system accounts. What belongs together shares a reference.
create table transfer (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('deposit', 'deposit_reversal', 'withdrawal', 'withdrawal_reversal', 'call',
    'commission', 'refund', 'commission_refund', 'forfeit')),
  reference text collate "C" not null,
  debit_account bigint not null,
  credit_account bigint not null check (credit_account <> debit_account),
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default app_now(),
  constraint transfer_reference unique (reference, kind)
);
create index transfer_debit on transfer (debit_account, id);
create index transfer_credit on transfer (credit_account, id);

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

create function iso(_at timestamptz) returns text language sql immutable parallel safe
as $$ select to_char(_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

create function account_name(_account bigint) returns text language sql stable
as $$ select case when _account > 0 then 'user:' || _account else (select name from system_account where id = _account) end $$;

-- Events. Rows have the shape of the shared outbox's publish(); a test holds them against the catalogue.

create function tell_account(_user bigint, _currency text, _context jsonb) returns void language sql
as $$
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select told.subject, told.name, told.aggregate_id, told.version, told.data, _context
  from account a
  cross join lateral (values
    ('events.balance.changed', 'balance.changed', a.user_id::text, a.version, jsonb_build_object(
      'user_id', a.user_id, 'balance', a.balance, 'held', a.held, 'available', a.balance - a.held,
      'currency', _currency, 'version', a.version)),
    ('live.user.' || a.user_id, 'wallet.balance', 'user.' || a.user_id, 0, jsonb_build_object(
      'balance', a.balance, 'available', a.balance - a.held, 'held', a.held))
  ) as told(subject, name, aggregate_id, version, data)
  where a.user_id = _user
$$;

create function tell_hold(_reference text, _context jsonb) returns void language sql
as $$
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select 'events.hold.changed', 'hold.changed', h.reference, h.version, jsonb_build_object(
    'reference', h.reference, 'user_id', h.user_id, 'amount', h.amount, 'state', h.state,
    'expires_at', coalesce(iso(h.expires_at), ''), 'version', h.version), _context
  from hold h where h.reference = _reference
$$;

create function tell_transfer(_id bigint, _context jsonb) returns void language sql
as $$
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select 'events.transfer.posted', 'transfer.posted', t.id::text, 0, jsonb_build_object(
    'id', t.id, 'kind', t.kind, 'reference', t.reference, 'debit_account', account_name(t.debit_account),
    'credit_account', account_name(t.credit_account), 'amount', t.amount, 'created_at', iso(t.created_at)), _context
  from transfer t where t.id = _id
$$;

-- Locks users' accounts in ascending order and opens those that do not exist; system accounts have no row to lock.
create function lock_accounts(_accounts bigint[]) returns void language plpgsql
as $$
begin
  insert into account (user_id)
  select distinct wanted from unnest(_accounts) as wanted
  where wanted > 0 and not exists (select from account where user_id = wanted)
  order by wanted
  on conflict do nothing;
  perform from account where user_id = any(_accounts) order by user_id for no key update;
end $$;

-- Posts one transfer. Violates account_covered when the debited user does not have the money available, and
-- transfer_reference when it was posted before.
create function post_transfer(
  _kind text, _reference text, _debit bigint, _credit bigint, _amount bigint, _currency text, _context jsonb
) returns bigint language plpgsql
as $$
declare
  posted bigint;
begin
  perform lock_accounts(array[_debit, _credit]);
  insert into transfer (kind, reference, debit_account, credit_account, amount)
  values (_kind, _reference, _debit, _credit, _amount) returning id into posted;
  update account set
    balance = balance + case when user_id = _credit then _amount else -_amount end,
    version = version + 1, updated_at = app_now()
  where user_id in (_debit, _credit);
  perform tell_transfer(posted, _context);
  perform tell_account(user_id, _currency, _context) from account where user_id in (_debit, _credit) order by user_id;
  return posted;
end $$;

-- Holds money: `done`, `repeated` (that reference is known: nothing changed), `refused` (not available) or `conflict`
-- (the reference is another user's). An expired hold is held again.
create function place_hold(
  _reference text, _user bigint, _amount bigint, _seconds int, _currency text, _context jsonb,
  out verdict text, out amount bigint, out available bigint, out expires_at timestamptz
) language plpgsql
as $$
declare
  known hold%rowtype;
begin
  perform lock_accounts(array[_user]);
  select a.balance - a.held into available from account a where a.user_id = _user;
  select * into known from hold h where h.reference = _reference;
  verdict := case
    when known.user_id <> _user then 'conflict'
    when known.state in ('open', 'released') then 'repeated'
    when available < _amount then 'refused'
    else 'done' end;
  amount := case when known.state = 'open' then known.amount else 0 end;
  expires_at := known.expires_at;
  if verdict <> 'done' then return; end if;

  update account a set held = a.held + _amount, version = a.version + 1, updated_at = app_now() where a.user_id = _user;
  insert into hold as h (reference, user_id, amount, state, expires_at)
  values (_reference, _user, _amount, 'open', app_now() + make_interval(secs => _seconds))
  on conflict (reference) do update
    set amount = excluded.amount, state = 'open', expires_at = excluded.expires_at, version = h.version + 1,
      updated_at = app_now()
  returning h.amount, h.expires_at into amount, expires_at;
  available := available - _amount;
  perform tell_hold(_reference, _context);
  perform tell_account(_user, _currency, _context);
end $$;

-- Ends an open hold as `released` or `expired`; answers how much became available again (0: it was not open).
-- `_before`: only when it expires by then, so that a hold touched meanwhile stays.
create function end_hold(_reference text, _state text, _before timestamptz, _currency text, _context jsonb) returns bigint
language plpgsql
as $$
declare
  owner bigint;
  freed bigint;
begin
  select user_id into owner from hold where reference = _reference;
  if owner is null then return 0; end if;
  perform lock_accounts(array[owner]);
  update hold h set amount = 0, state = _state, version = h.version + 1, updated_at = app_now()
  where h.reference = _reference and h.state = 'open' and (_before is null or h.expires_at <= _before)
  returning old.amount into freed;
  if freed is null then return 0; end if;
  update account set held = held - freed, version = version + 1, updated_at = app_now() where user_id = owner;
  perform tell_hold(_reference, _context);
  perform tell_account(owner, _currency, _context);
  return freed;
end $$;

-- Turns the whole of an open hold into a transfer; answers the amount, null when it was not open.
create function capture_hold(_hold text, _kind text, _reference text, _credit bigint, _currency text, _context jsonb)
returns bigint language plpgsql
as $$
declare
  owner bigint;
  captured bigint;
  posted bigint;
begin
  select user_id into owner from hold where reference = _hold;
  if owner is null then return null; end if;
  perform lock_accounts(array[owner]);
  select amount into captured from hold where reference = _hold and state = 'open';
  if captured is null then return null; end if;
  update hold set amount = 0, state = 'released', version = version + 1, updated_at = app_now() where reference = _hold;
  update account set balance = balance - captured, held = held - captured, version = version + 1, updated_at = app_now()
  where user_id = owner;
  insert into transfer (kind, reference, debit_account, credit_account, amount)
  values (_kind, _reference, owner, _credit, captured) returning id into posted;
  perform tell_transfer(posted, _context);
  perform tell_hold(_hold, _context);
  perform tell_account(owner, _currency, _context);
  return captured;
end $$;

-- Expires holds whose time is over, skipping accounts that are busy: the next run gets them. Answers how many.
create function expire_holds(_limit int, _currency text, _context jsonb) returns int language plpgsql
as $$
declare
  due record;
  ended int := 0;
  until_now timestamptz := app_now();
begin
  for due in
    select reference from hold where state = 'open' and expires_at <= until_now order by user_id, reference limit _limit
  loop
    perform from account a join hold h on h.user_id = a.user_id
    where h.reference = due.reference for no key update of a skip locked;
    if found then
      perform end_hold(due.reference, 'expired', until_now, _currency, _context);
      ended := ended + 1;
    end if;
  end loop;
  return ended;
end $$;
