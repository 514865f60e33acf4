-- A charge of a call: from the student's hold first and available money for the rest, to the teacher, whose commission
-- goes on to the platform; then the hold is set to what the next step costs, when that is affordable.
-- Verdicts: done; repeated (the reference was charged before: its first amount, and what is reserved and available now);
-- refused (the money is not there); conflict (the reference or the hold is another student's).
-- charge_one and charge_many follow one rule; a test holds them against each other.

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
  prior record;
  known record;
  at timestamptz := app_now();
  commission bigint := _amount * _percent / 100;
  held_before bigint;
  posted bigint;
  posted_commission bigint;
  teacher record;
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

  charged := _amount;
  available := available + held_before - _amount;
  reserved := case when _next > 0 and _next <= available and known.state is distinct from 'released' then _next else 0 end;
  available := available - reserved;

  update account a set balance = a.balance - _amount, held = a.held - held_before + reserved, version = a.version + 1,
    updated_at = at
  where a.user_id = _student returning a.balance, a.held, a.version into student;
  update account a set balance = a.balance + _amount - commission, version = a.version + 1, updated_at = at
  where a.user_id = _teacher returning a.balance, a.held, a.version into teacher;

  insert into hold as h (reference, user_id, amount, state, expires_at)
  select _hold, _student, reserved, 'open', at + make_interval(secs => _seconds)
  where known.state is distinct from 'released' and (known.state is not null or reserved > 0)
  on conflict (reference) do update set amount = excluded.amount, expires_at = excluded.expires_at,
    state = case when _next > 0 then 'open' else 'released' end, version = h.version + 1, updated_at = at;
  if found then perform tell_hold(_hold, _context); end if;

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
    values
      ('call:' || _identifier, _student, 'call', 'out', _amount, _currency, 'success', _identifier, _call_type || ' call', at, at),
      ('call:' || _identifier, _teacher, 'call', 'in', _amount - commission, _currency, 'success', _identifier, _call_type || ' call', at, at);
  end if;

  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select o.subject, o.name, o.aggregate_id, o.version, o.data, _context from (values
    ('events.transfer.posted', 'transfer.posted', posted::text, 0::bigint, jsonb_build_object(
      'id', posted, 'kind', 'call', 'reference', _reference, 'debit_account', 'user:' || _student,
      'credit_account', 'user:' || _teacher, 'amount', _amount, 'created_at', iso(at))),
    ('events.transfer.posted', 'transfer.posted', posted_commission::text, 0, jsonb_build_object(
      'id', posted_commission, 'kind', 'commission', 'reference', _reference, 'debit_account', 'user:' || _teacher,
      'credit_account', 'platform:revenue', 'amount', commission, 'created_at', iso(at))),
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
-- be paid. Whoever is paid several times is told the end of it.
create function charge_many(
  _references text[], _holds text[], _students bigint[], _teachers bigint[], _amounts bigint[], _percents int[],
  _nexts bigint[], _identifiers text[], _call_types text[], _contexts jsonb, _seconds int, _currency text
) returns table (reference text, verdict text, charged bigint, reserved bigint, available bigint) language plpgsql
as $$
#variable_conflict use_column
declare
  everyone bigint[] := _students || _teachers;
  at timestamptz;
begin
  if _students && _teachers or cardinality(_students) <> (select count(distinct s) from unnest(_students) s) then
    raise exception 'somebody pays twice, or pays and is paid';
  end if;
  perform from account where user_id = any(everyone) order by user_id for no key update;
  if exists (select from unnest(everyone) u where not exists (select from account where user_id = u)) then
    perform lock_accounts(everyone);
  end if;
  at := app_now();

  return query
  with asked as materialized (
    select * from unnest(_references, _holds, _students, _teachers, _amounts, _percents, _nexts, _identifiers, _call_types)
      with ordinality
      as a(reference, hold, student, teacher, amount, percent, next, identifier, call_type, nr)
  ), known as materialized (
    select a.*, a.amount * a.percent / 100 as commission, s.balance, s.held, h.state as hold_state,
      h.user_id as hold_user, t.amount as prior, t.debit_account as prior_payer,
      case when h.state = 'open' then h.amount else 0 end as held_before
    from asked a
    join account s on s.user_id = a.student
    left join hold h on h.reference = a.hold
    left join transfer t on t.reference = a.reference and t.kind = 'call'
  ), judged as materialized (
    select k.*, case
      when k.prior_payer <> k.student or k.hold_user <> k.student then 'conflict'
      when k.prior is not null then 'repeated'
      when k.balance - k.held + k.held_before < k.amount then 'refused'
      else 'done' end as verdict,
      case when k.next > 0 and k.next <= k.balance - k.held + k.held_before - k.amount
        and k.hold_state is distinct from 'released' then k.next else 0 end as reserve
    from known k
  ), done as materialized (
    select j.*, coalesce(_contexts -> (j.nr::int - 1), '{}'::jsonb) as context from judged j where j.verdict = 'done'
  ), payers as (
    update account a set balance = a.balance - d.amount, held = a.held - d.held_before + d.reserve,
      version = a.version + 1, updated_at = at
    from done d where a.user_id = d.student
    returning a.user_id, a.balance, a.held, a.version, d.context
  ), payees as (
    update account a set balance = a.balance + d.net, version = a.version + 1, updated_at = at
    from (
      select d.teacher, sum(d.amount - d.commission)::bigint as net, (array_agg(d.context order by d.nr))[1] as context
      from done d group by d.teacher
    ) d where a.user_id = d.teacher
    returning a.user_id, a.balance, a.held, a.version, d.context
  ), touched as (
    insert into hold as h (reference, user_id, amount, state, expires_at)
    select d.hold, d.student, d.reserve, case when d.next > 0 then 'open' else 'released' end,
      at + make_interval(secs => _seconds)
    from done d
    where d.hold_state is distinct from 'released' and (d.hold_state is not null or d.reserve > 0)
    on conflict (reference) do update set amount = excluded.amount, expires_at = excluded.expires_at,
      state = excluded.state, version = h.version + 1, updated_at = at
    returning h.reference, h.user_id, h.amount, h.state, h.expires_at, h.version
  ), posted as (
    insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
    select p.kind, d.reference, p.debit, p.credit, p.amount, at
    from done d cross join lateral (values
      (1, 'call', d.student, d.teacher, d.amount), (2, 'commission', d.teacher, -1::bigint, d.commission)
    ) as p(part, kind, debit, credit, amount)
    where p.amount > 0 order by d.nr, p.part
    returning id, kind, reference, debit_account, credit_account, amount
  ), sides as materialized (
    select 'call:' || d.identifier as source, s.user_id, s.direction, s.amount, d.identifier, d.call_type, d.nr
    from done d cross join lateral (values
      (d.student, 'out', d.amount), (d.teacher, 'in', d.amount - d.commission)
    ) as s(user_id, direction, amount)
  ), grown as (
    update payment p set amount = p.amount + s.amount, updated_at = at
    from sides s where p.source = s.source and p.user_id = s.user_id
    returning p.source, p.user_id
  ), begun as (
    insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
    select s.source, s.user_id, 'call', s.direction, s.amount, _currency, 'success', s.identifier,
      s.call_type || ' call', at, at
    from sides s where not exists (select from grown g where g.source = s.source and g.user_id = s.user_id)
    order by s.nr, s.direction desc
  ), told as (
    insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
    select 'events.transfer.posted', 'transfer.posted', p.id::text, 0::bigint, jsonb_build_object(
      'id', p.id, 'kind', p.kind, 'reference', p.reference, 'debit_account', 'user:' || p.debit_account,
      'credit_account', case when p.credit_account > 0 then 'user:' || p.credit_account else 'platform:revenue' end,
      'amount', p.amount, 'created_at', iso(at)), d.context
    from posted p join done d on d.reference = p.reference
    union all
    select 'events.hold.changed', 'hold.changed', h.reference, h.version, jsonb_build_object(
      'reference', h.reference, 'user_id', h.user_id, 'amount', h.amount, 'state', h.state,
      'expires_at', iso(h.expires_at), 'version', h.version), d.context
    from touched h join done d on d.hold = h.reference
    union all
    select o.subject, o.name, o.aggregate_id, o.version, o.data, a.context
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
    case j.verdict when 'done' then j.reserve else j.held_before end,
    case j.verdict when 'done' then j.balance - j.held + j.held_before - j.amount - j.reserve else j.balance - j.held end
  from judged j order by j.nr;
end $$;
