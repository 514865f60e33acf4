-- Accounts of people who leave: no new money moves on them, and what is paid for them afterwards has an account of its own.

alter table account add column closed_until timestamptz;
comment on column account.closed_until is
  'No money is newly held, withdrawn or paid in before this: a moment ahead while the deletion is decided, infinity after it.';

insert into system_account (id, name) values (-3, 'clearing:unclaimed');

-- place_hold for an account that is not closed; `closed` otherwise. What is held (or was) answers as ever.
create function place_hold_if_open(
  _reference text, _user bigint, _amount bigint, _seconds int, _currency text, _context jsonb,
  out verdict text, out amount bigint, out available bigint, out expires_at timestamptz
) language plpgsql
as $$
begin
  perform lock_accounts(array[_user]);
  if exists (select from account a where a.user_id = _user and a.closed_until > app_now())
    and not exists (select from hold h where h.reference = _reference and h.state in ('open', 'released')) then
    verdict := 'closed';
    amount := 0;
    select a.balance - a.held into available from account a where a.user_id = _user;
    return;
  end if;
  select p.verdict, p.amount, p.available, p.expires_at into verdict, amount, available, expires_at
  from place_hold(_reference, _user, _amount, _seconds, _currency, _context) p;
end $$;
