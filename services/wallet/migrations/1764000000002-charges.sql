-- A charge of a call: from the student's hold first and available money for the rest, to the teacher, whose commission
-- goes on to the platform; then the hold is set to what the next step costs, when that is affordable.
-- Verdicts: done; repeated (the reference was charged before: its first amount, and what is reserved and available now);
-- refused (the money is not there); conflict (the reference or the hold is another student's).
-- charge_one and charge_many follow one rule; a test holds them against each other. Both write what they know already
-- (times, names of accounts) instead of calling the ledger's functions for it: they are the hot path. A hold that stays
-- as large as it was is not told again.

create function charge_one(
  _reference text, _hold text, _student bigint, _teacher bigint, _amount bigint, _percent int, _next bigint,
  _identifier text, _call_type text, _seconds int, _currency text, _context jsonb,
  out verdict text, out charged bigint, out reserved bigint, out available bigint
) language plpgsql
as $$
declare
  found_accounts int := 0;
  account_row record;
  student record;
  teacher record;
  prior record;
  known record;
  touched hold%rowtype;
  hold_state text;
  at timestamptz;
  commission bigint := _amount * _percent / 100;
  held_before bigint;
  posted bigint;
  posted_commission bigint;
begin
  for account_row in
    select a.user_id, a.balance, a.held from account a where a.user_id in (_student, _teacher)
    order by a.user_id for no key update
  loop
    found_accounts := found_accounts + 1;
    if account_row.user_id = _student then student := account_row; end if;
  end loop;
  if found_accounts < 2 then
    perform lock_accounts(array[_student, _teacher]);
    select a.user_id, a.balance, a.held into student from account a where a.user_id = _student;
  end if;

  select t.amount, t.debit_account into prior from transfer t where t.reference = _reference and t.kind = 'call';
  select h.user_id, h.amount, h.state into known from hold h where h.reference = _hold;
  held_before := case when known.state = 'open' then known.amount else 0 end;
  available := student.balance - student.held;
  reserved := held_before;
  charged := 0;
  verdict := case
    when prior.debit_account <> _student or known.user_id <> _student then 'conflict'
    when prior.amount is not null then 'repeated'
    when available + held_before < _amount then 'refused'
    else 'done' end;
  if verdict <> 'done' then
    if verdict = 'repeated' then charged := prior.amount; end if;
    return;
  end if;

  at := app_now();
  charged := _amount;
  available := available + held_before - _amount;
  reserved := case when _next > 0 and _next <= available and known.state is distinct from 'released' then _next else 0 end;
  available := available - reserved;

  update account a set balance = a.balance - _amount, held = a.held - held_before + reserved, version = a.version + 1,
    updated_at = at
  where a.user_id = _student returning a.balance, a.held, a.version into student;
  update account a set balance = a.balance + _amount - commission, version = a.version + 1, updated_at = at
  where a.user_id = _teacher returning a.balance, a.held, a.version into teacher;

  hold_state := case when _next > 0 then 'open' else 'released' end;
  if known.state <> 'released' then
    update hold h set amount = reserved, state = hold_state, expires_at = at + make_interval(secs => _seconds),
      version = h.version + 1, updated_at = at
    where h.reference = _hold returning h.* into touched;
  elsif known.state is null and reserved > 0 then
    insert into hold as h (reference, user_id, amount, state, expires_at, created_at, updated_at)
    values (_hold, _student, reserved, hold_state, at + make_interval(secs => _seconds), at, at)
    returning h.* into touched;
  end if;

  insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
  values ('call', _reference, _student, _teacher, _amount, at) returning id into posted;
  if commission > 0 then
    insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    values ('commission', _reference, _teacher, -1, commission, at) returning id into posted_commission;
  end if;

  update payment p set updated_at = at,
    amount = p.amount + case when p.user_id = _student then _amount else _amount - commission end
  where p.source = 'call:' || _identifier and p.user_id in (_student, _teacher);
  if not found then
    insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
    select 'call:' || _identifier, side.user_id, 'call', side.direction, side.amount, _currency, 'success', _identifier,
      _call_type || ' call', at, at
    from (values (_student, 'out', _amount), (_teacher, 'in', _amount - commission)) as side(user_id, direction, amount);
  end if;

  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select o.subject, o.name, o.aggregate_id, o.version, o.data, _context from (values
    ('events.transfer.posted', 'transfer.posted', posted::text, 0::bigint, jsonb_build_object(
      'id', posted, 'kind', 'call', 'reference', _reference, 'debit_account', 'user:' || _student,
      'credit_account', 'user:' || _teacher, 'amount', _amount, 'created_at', iso(at))),
    ('events.transfer.posted', 'transfer.posted', posted_commission::text, 0, jsonb_build_object(
      'id', posted_commission, 'kind', 'commission', 'reference', _reference, 'debit_account', 'user:' || _teacher,
      'credit_account', 'platform:revenue', 'amount', commission, 'created_at', iso(at))),
    ('events.hold.changed', 'hold.changed',
      case when touched.version > 0 and (reserved, hold_state) is distinct from (known.amount, known.state) then _hold end,
      touched.version,
      jsonb_build_object('reference', _hold, 'user_id', _student, 'amount', reserved, 'state', hold_state,
      'expires_at', iso(touched.expires_at), 'version', touched.version)),
    ('events.balance.changed', 'balance.changed', _student::text, student.version, jsonb_build_object(
      'user_id', _student, 'balance', student.balance, 'held', student.held,
      'available', student.balance - student.held, 'currency', _currency, 'version', student.version)),
    ('live.user.' || _student, 'wallet.balance', 'user.' || _student, 0, jsonb_build_object(
      'balance', student.balance, 'available', student.balance - student.held, 'held', student.held)),
    ('events.balance.changed', 'balance.changed', _teacher::text, teacher.version, jsonb_build_object(
      'user_id', _teacher, 'balance', teacher.balance, 'held', teacher.held,
      'available', teacher.balance - teacher.held, 'currency', _currency, 'version', teacher.version)),
    ('live.user.' || _teacher, 'wallet.balance', 'user.' || _teacher, 0, jsonb_build_object(
      'balance', teacher.balance, 'available', teacher.balance - teacher.held, 'held', teacher.held))
  ) as o(subject, name, aggregate_id, version, data)
  where o.aggregate_id is not null;
end $$;

-- The same for many charges in one transaction, each with its own verdict. Nobody may pay twice in one call, nor pay and
-- be paid, and no reference or hold may occur twice. Whoever is paid several times is told the end of it.
-- `_contexts`: of the events, by the reference, the hold and (as text) the users that they are about.
create function charge_many(
  _references text[], _holds text[], _students bigint[], _teachers bigint[], _amounts bigint[], _percents int[],
  _nexts bigint[], _identifiers text[], _call_types text[], _contexts jsonb, _seconds int, _currency text
) returns table (reference text, verdict text, charged bigint, reserved bigint, available bigint) language plpgsql
-- Planning this for every batch would cost more than running it.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  everyone bigint[] := array(select distinct u from unnest(_students || _teachers) u);
  locked int;
  at timestamptz;
  at_text text;
  expires timestamptz;
  expires_text text;
begin
  if _students && _teachers or cardinality(_students) <> (select count(distinct s) from unnest(_students) s) then
    raise exception 'somebody pays twice, or pays and is paid';
  end if;
  perform from account where user_id = any(everyone) order by user_id for no key update;
  get diagnostics locked = row_count;
  if locked < cardinality(everyone) then perform lock_accounts(everyone); end if;
  at := app_now();
  at_text := iso(at);
  expires := at + make_interval(secs => _seconds);
  expires_text := iso(expires);

  return query
  with asked as materialized (
    select a.*, 'call:' || a.identifier as source, a.amount * a.percent / 100 as commission
    from unnest(_references, _holds, _students, _teachers, _amounts, _percents, _nexts, _identifiers, _call_types)
      with ordinality
      as a(reference, hold, student, teacher, amount, percent, next, identifier, call_type, nr)
  ), judged as materialized (
    select a.*, s.balance, s.held, h.state as hold_state, f.before, t.amount as prior,
      case
        when t.debit_account <> a.student or h.user_id <> a.student then 'conflict'
        when t.amount is not null then 'repeated'
        when s.balance - s.held + f.before < a.amount then 'refused'
        else 'done' end as verdict,
      case when a.next > 0 and a.next <= s.balance - s.held + f.before - a.amount
        and h.state is distinct from 'released' then a.next else 0 end as reserve
    from asked a
    cross join lateral (select balance, held from account where user_id = a.student limit 1) s
    left join lateral (select user_id, amount, state from hold where reference = a.hold limit 1) h on true
    left join lateral (
      select amount, debit_account from transfer where reference = a.reference and kind = 'call' limit 1
    ) t on true
    cross join lateral (select case when h.state = 'open' then h.amount else 0 end as before offset 0) f
  ), done as materialized (
    select * from judged where verdict = 'done'
  ), payers as (
    update account a set balance = a.balance - d.amount, held = a.held - d.before + d.reserve,
      version = a.version + 1, updated_at = at
    from done d where a.user_id = d.student
    returning a.user_id, a.balance, a.held, a.version
  ), payees as (
    update account a set balance = a.balance + d.net, version = a.version + 1, updated_at = at
    from (select teacher, sum(amount - commission)::bigint as net from done group by teacher) d
    where a.user_id = d.teacher
    returning a.user_id, a.balance, a.held, a.version
  ), touched as (
    update hold h set amount = d.reserve, state = case when d.next > 0 then 'open' else 'released' end,
      expires_at = expires, version = h.version + 1, updated_at = at
    from done d where h.reference = d.hold and d.hold_state <> 'released'
    returning h.reference, h.user_id, h.amount, h.state, h.version,
      (new.amount, new.state) is distinct from (old.amount, old.state) as worth_telling
  ), opened as (
    insert into hold (reference, user_id, amount, state, expires_at, created_at, updated_at)
    select d.hold, d.student, d.reserve, 'open', expires, at, at
    from done d where d.hold_state is null and d.reserve > 0
    returning reference, user_id, amount, state, version, true as worth_telling
  ), posted as (
    insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    select p.kind, d.reference, p.debit, p.credit, p.amount, at
    from done d cross join lateral (values
      (1, 'call', d.student, d.teacher, d.amount), (2, 'commission', d.teacher, -1::bigint, d.commission)
    ) as p(part, kind, debit, credit, amount)
    where p.amount > 0 order by d.nr, p.part
    returning id, kind, reference, debit_account, credit_account, amount
  ), sides as materialized (
    select d.source, s.user_id, s.direction, s.amount, d.identifier, d.call_type, d.nr,
      exists (select from payment p where p.source = d.source and p.user_id = s.user_id offset 0) as known
    from done d cross join lateral (values
      (d.student, 'out', d.amount), (d.teacher, 'in', d.amount - d.commission)
    ) as s(user_id, direction, amount)
  ), grown as (
    update payment p set amount = p.amount + s.amount, updated_at = at
    from sides s where s.known and p.source = s.source and p.user_id = s.user_id
  ), begun as (
    insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
    select source, user_id, 'call', direction, amount, _currency, 'success', identifier, call_type || ' call', at, at
    from sides where not known order by nr, direction desc
  ), told as (
    insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, created_at)
    select 'events.transfer.posted', 'transfer.posted', id::text, 0::bigint, jsonb_build_object(
      'id', id, 'kind', kind, 'reference', reference, 'debit_account', 'user:' || debit_account,
      'credit_account', case when credit_account > 0 then 'user:' || credit_account else 'platform:revenue' end,
      'amount', amount, 'created_at', at_text), coalesce(_contexts -> reference, '{}'), at
    from posted
    union all
    select 'events.hold.changed', 'hold.changed', reference, version, jsonb_build_object(
      'reference', reference, 'user_id', user_id, 'amount', amount, 'state', state,
      'expires_at', expires_text, 'version', version), coalesce(_contexts -> reference, '{}'), at
    from (select * from touched union all select * from opened) h where worth_telling
    union all
    select o.subject, o.name, o.aggregate_id, o.version, o.data, coalesce(_contexts -> a.user_id::text, '{}'), at
    from (select * from payers union all select * from payees) a
    cross join lateral (values
      ('events.balance.changed', 'balance.changed', a.user_id::text, a.version, jsonb_build_object(
        'user_id', a.user_id, 'balance', a.balance, 'held', a.held, 'available', a.balance - a.held,
        'currency', _currency, 'version', a.version)),
      ('live.user.' || a.user_id, 'wallet.balance', 'user.' || a.user_id, 0::bigint, jsonb_build_object(
        'balance', a.balance, 'available', a.balance - a.held, 'held', a.held))
    ) as o(subject, name, aggregate_id, version, data)
  )
  select j.reference, j.verdict,
    case j.verdict when 'done' then j.amount when 'repeated' then j.prior else 0 end,
    case j.verdict when 'done' then j.reserve else j.before end,
    case j.verdict when 'done' then j.balance - j.held + j.before - j.amount - j.reserve else j.balance - j.held end
  from judged j order by j.nr;
end $$;
