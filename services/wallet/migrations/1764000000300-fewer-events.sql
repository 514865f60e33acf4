-- Nobody hears `transfer.posted`, so it is not told any more; `hold.changed` is told when a hold's state changes, not
-- when a charge sets its amount. All else is as it was. tell_transfer is not called by anything from here on.

create or replace function post_transfer(
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
  perform tell_account(user_id, _currency, _context) from account where user_id in (_debit, _credit) order by user_id;
  return posted;
end $$;

create or replace function capture_hold(_hold text, _kind text, _reference text, _credit bigint, _currency text, _context jsonb)
returns bigint language plpgsql
as $$
declare
  owner bigint;
  captured bigint;
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
  values (_kind, _reference, owner, _credit, captured);
  perform tell_hold(_hold, _context);
  perform tell_account(owner, _currency, _context);
  return captured;
end $$;

create or replace function charge_one(
  _reference text, _hold text, _student bigint, _teacher bigint, _amount bigint, _percent int, _next bigint,
  _identifier text, _call_type text, _seconds int, _currency text, _context jsonb,
  out verdict text, out charged bigint, out reserved bigint, out available bigint
) language plpgsql
as $$
declare
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
begin
  -- Before anything is locked: an account that is opened later would be locked out of order.
  if (select count(*) from account a where a.user_id in (_student, _teacher)) < 2 then
    perform lock_accounts(array[_student, _teacher]);
  end if;
  for account_row in
    select a.user_id, a.balance, a.held from account a where a.user_id in (_student, _teacher)
    order by a.user_id for no key update
  loop
    if account_row.user_id = _student then student := account_row; end if;
  end loop;

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
  values ('call', _reference, _student, _teacher, _amount, at);
  if commission > 0 then
    insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    values ('commission', _reference, _teacher, -1, commission, at);
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
    ('events.hold.changed', 'hold.changed',
      case when touched.version > 0 and hold_state is distinct from known.state then _hold end,
      touched.version,
      jsonb_build_object('reference', _hold, 'user_id', _student, 'amount', reserved, 'state', hold_state,
      'expires_at', iso(touched.expires_at), 'version', touched.version)),
    ('events.balance.changed', 'balance.changed', _student::text, student.version, jsonb_build_object(
      'user_id', _student, 'balance', student.balance, 'held', student.held,
      'available', student.balance - student.held, 'currency', _currency, 'version', student.version)),
    ('live.user.' || _student || '.' || _student, 'wallet.balance', 'user.' || _student || '.' || _student, 0, jsonb_build_object(
      'balance', student.balance, 'available', student.balance - student.held, 'held', student.held)),
    ('events.balance.changed', 'balance.changed', _teacher::text, teacher.version, jsonb_build_object(
      'user_id', _teacher, 'balance', teacher.balance, 'held', teacher.held,
      'available', teacher.balance - teacher.held, 'currency', _currency, 'version', teacher.version)),
    ('live.user.' || _teacher || '.' || _teacher, 'wallet.balance', 'user.' || _teacher || '.' || _teacher, 0, jsonb_build_object(
      'balance', teacher.balance, 'available', teacher.balance - teacher.held, 'held', teacher.held))
  ) as o(subject, name, aggregate_id, version, data)
  where o.aggregate_id is not null;
end $$;

create or replace function charge_batch(
  _references text[], _holds text[], _students bigint[], _teachers bigint[], _amounts bigint[], _percents int[],
  _nexts bigint[], _identifiers text[], _call_types text[], _contexts jsonb, _seconds int, _currency text
) returns table (reference text, verdict text, charged bigint, reserved bigint, available bigint) language plpgsql
-- Planning this for every batch would cost more than running it.
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  everyone bigint[] := array(select distinct u from unnest(_students || _teachers) u);
  locked bigint[];
  at timestamptz;
  expires timestamptz;
  expires_text text;
begin
  if _students && _teachers or cardinality(_students) <> (select count(distinct s) from unnest(_students) s) then
    raise exception 'somebody pays twice, or pays and is paid';
  end if;
  -- Before anything is locked: an account that is opened later would be locked out of order.
  if (select count(*) from account where user_id = any(everyone)) < cardinality(everyone) then
    insert into account (user_id)
    select u from unnest(everyone) u where not exists (select from account where user_id = u) order by u
    on conflict do nothing;
  end if;
  locked := array(
    select user_id from account where user_id = any(everyone) order by user_id for no key update skip locked);
  at := app_now();
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
        when not (a.student = any(locked) and a.teacher = any(locked)) then 'busy'
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
      new.state is distinct from old.state as worth_telling
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
      ('live.user.' || a.user_id || '.' || a.user_id, 'wallet.balance', 'user.' || a.user_id || '.' || a.user_id, 0::bigint, jsonb_build_object(
        'balance', a.balance, 'available', a.balance - a.held, 'held', a.held))
    ) as o(subject, name, aggregate_id, version, data)
  )
  select j.reference, j.verdict,
    case j.verdict when 'done' then j.amount when 'repeated' then j.prior else 0 end,
    case j.verdict when 'done' then j.reserve else j.before end,
    case j.verdict when 'done' then j.balance - j.held + j.before - j.amount - j.reserve else j.balance - j.held end
  from judged j order by j.nr;
end $$;
