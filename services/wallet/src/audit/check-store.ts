import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';

/** Both sides of every transfer, signed: what each account gained or lost. */
const MOVES = `
  select credit_account as account, amount from transfer
  union all
  select debit_account, -amount from transfer`;

const { revenue, forfeits, unclaimed, payouts, sandbox, stripe } = SYSTEM_ACCOUNTS;
const CLEARING = `${sandbox}, ${stripe}`;

/** What a well-formed reference looks like. */
const DEPOSIT = `reference ~ '^deposit:[1-9][0-9]{0,17}:[0-9]+$'`;
const WITHDRAWAL = `reference ~ '^withdrawal:[1-9][0-9]{0,17}:[0-9]+$'`;
const STEP = `reference ~ '^call:[^:]+:step:[0-9]+$'`;
const REFUND = `reference ~ '^call:[^:]+:refund:[0-9]+$'`;

/** The account that a deposit may credit: a user's, or `unclaimed`. */
const PAYEE = (account: string) => `(${account} > 0 or ${account} = ${unclaimed})`;

/** A payment whose source is not of its type. */
export const UNNAMED = `source !~ case type when 'call' then '^call:[^:]+$' when 'refund' then '^call:[^:]+:refund:[0-9]+$'
  else '^' || type || ':[1-9][0-9]{0,17}$' end`;

/** The number after the first colon of a reference: `deposit:12:1` -> 12. */
const noun = (kinds: string, wellFormed: string) => `
  select split_part(reference, ':', 2)::bigint as id, kind, debit_account, credit_account, amount
  from transfer where kind in (${kinds}) and ${wellFormed}`;

const CALLS = `
  select split_part(reference, ':', 2) as identifier, reference, kind, debit_account, credit_account, amount
  from transfer where kind in ('call', 'commission', 'refund', 'commission_refund')`;

/**
 * The invariants, each as a statement that returns the rows that violate it: `subject`, `expected`, `found`. All
 * statements read one snapshot.
 */
export const CHECKS: Record<string, string> = {
  'a balance is the sum of its transfers': `
    with sums as (select account, sum(amount) as balance from (${MOVES}) m where account > 0 group by account)
    select 'account:' || coalesce(a.user_id, s.account) as subject, coalesce(s.balance, 0) as expected, a.balance as found
    from account a full join sums s on s.account = a.user_id
    where a.balance is distinct from coalesce(s.balance, 0)`,

  'what is held is the sum of the open holds': `
    with sums as (select user_id, sum(amount) as held from hold where state = 'open' group by user_id)
    select 'account:' || coalesce(a.user_id, s.user_id) as subject, coalesce(s.held, 0) as expected, a.held as found
    from account a full join sums s using (user_id)
    where a.held is distinct from coalesce(s.held, 0) and (a.user_id is not null or s.held <> 0)`,

  'nobody is below zero or holds more than there is': `
    select 'account:' || user_id as subject, 'covered' as expected, balance || ' with ' || held || ' held' as found
    from account where held < 0 or balance < held`,

  'all accounts together are zero': `
    select 'ledger' as subject, 0 as expected, total as found
    from (
      select (select coalesce(sum(balance), 0) from account)
        + (select coalesce(sum(amount), 0) from (${MOVES}) m where account < 0) as total
    ) t where total <> 0`,

  'a transfer moves a positive amount between two accounts': `
    select 'transfer:' || id as subject, 'a positive amount between two accounts' as expected,
      amount || ' from ' || debit_account || ' to ' || credit_account as found
    from transfer where amount <= 0 or debit_account = credit_account`,

  'a transfer has the accounts and the reference of its kind': `
    select 'transfer:' || id as subject, 'a proper ' || kind as expected,
      reference || ' from ' || debit_account || ' to ' || credit_account as found
    from transfer
    where not case kind
      when 'deposit' then ${DEPOSIT} and debit_account in (${CLEARING}) and ${PAYEE('credit_account')}
      when 'deposit_reversal' then ${DEPOSIT} and ${PAYEE('debit_account')} and credit_account in (${CLEARING})
      when 'withdrawal' then ${WITHDRAWAL} and debit_account > 0 and credit_account = ${payouts}
      when 'withdrawal_reversal' then ${WITHDRAWAL} and debit_account = ${payouts} and credit_account > 0
      when 'call' then ${STEP} and debit_account > 0 and credit_account > 0
      when 'commission' then ${STEP} and debit_account > 0 and credit_account = ${revenue}
      when 'refund' then ${REFUND} and debit_account > 0 and credit_account > 0
      when 'commission_refund' then ${REFUND} and debit_account = ${revenue} and credit_account > 0
      when 'forfeit' then reference ~ '^forfeit:[0-9]{1,18}:[0-9]+$' and debit_account > 0
        and credit_account = ${forfeits} and split_part(reference, ':', 2) = debit_account::text
      else false end`,

  'a reference is posted once': `
    select kind || ' ' || reference as subject, 1 as expected, count(*) as found
    from transfer group by kind, reference having count(*) > 1`,

  'a deposit in success has its money credited, another has not': `
    with sides as (
      select id, case kind when 'deposit' then credit_account else debit_account end as account,
        sum(case kind when 'deposit' then amount else -amount end) as net, count(*) filter (where kind = 'deposit') as entries
      from (${noun(`'deposit', 'deposit_reversal'`, DEPOSIT)}) t group by 1, 2
    ), moved as (
      select id, sum(net) as net, sum(entries) as entries, min(net) as least, min(account) = ${unclaimed} as unclaimed,
        min(account) filter (where account > 0) as payee, max(account) filter (where account > 0) as other
      from sides group by id
    )
    select 'deposit:' || coalesce(d.id, m.id) as subject,
      coalesce(case when d.status = 'success' then d.amount else 0 end || ' for user ' || d.user_id || ' after '
        || d.entries || ' entries', 'no transfer') as expected,
      coalesce(m.net, 0) || ' for user ' || coalesce(m.payee, d.user_id) || ' after ' || coalesce(m.entries, 0)
        || ' entries' as found
    from deposit d full join moved m on m.id = d.id
    where d.id is null or coalesce(m.net, 0) <> case when d.status = 'success' then d.amount else 0 end
      or coalesce(m.entries, 0) <> d.entries or m.payee <> d.user_id or m.other <> d.user_id or m.least < 0
      or (m.unclaimed and not exists (
        select from account a where a.user_id = d.user_id and a.closed_until is not null))`,

  'a withdrawal in success is paid out, another is not': `
    with moved as (
      select id, sum(case kind when 'withdrawal' then amount else -amount end) as net,
        count(*) filter (where kind = 'withdrawal') as entries,
        min(case kind when 'withdrawal' then debit_account else credit_account end) as payer,
        max(case kind when 'withdrawal' then debit_account else credit_account end) as other
      from (${noun(`'withdrawal', 'withdrawal_reversal'`, WITHDRAWAL)}) t group by id
    )
    select 'withdrawal:' || coalesce(w.id, m.id) as subject,
      coalesce(case when w.status = 'success' then w.amount else 0 end || ' of user ' || w.user_id || ' after '
        || w.entries || ' entries', 'no transfer') as expected,
      coalesce(m.net, 0) || ' of user ' || coalesce(m.payer, w.user_id) || ' after ' || coalesce(m.entries, 0)
        || ' entries' as found
    from withdrawal w full join moved m on m.id = w.id
    where w.id is null or coalesce(m.net, 0) <> case when w.status = 'success' then w.amount else 0 end
      or coalesce(m.entries, 0) <> w.entries or m.payer <> w.user_id or m.other <> w.user_id`,

  'an open withdrawal holds its amount, another holds nothing': `
    with held as (
      select reference, user_id, amount from hold where state = 'open' and reference like 'withdrawal:%'
    ), wanted as (
      select 'withdrawal:' || id || ':hold:' || holds as reference, user_id, amount
      from withdrawal where status in ('initiated', 'pending')
    )
    select 'hold:' || coalesce(h.reference, w.reference) as subject,
      coalesce(w.amount || ' of user ' || w.user_id, 'nothing') as expected,
      coalesce(h.amount || ' of user ' || h.user_id, 'nothing') as found
    from held h full join wanted w on w.reference = h.reference
    where (h.amount, h.user_id) is distinct from (w.amount, w.user_id)`,

  'a hold that is over holds nothing, an open one is of a call or a withdrawal': `
    select 'hold:' || reference as subject, 'nothing, or open for a call or a withdrawal' as expected,
      state || ' with ' || amount as found
    from hold
    where amount < 0 or (state <> 'open' and amount <> 0)
      or (state = 'open' and reference !~ '^(call:[^:]+|withdrawal:[0-9]+:hold:[0-9]+)$')`,

  'the hold of a call ends when nobody touches it': `
    select 'hold:' || reference as subject, 'to have expired' as expected, 'open since ' || expires_at as found
    from hold where state = 'open' and reference like 'call:%'
      and (expires_at is null or expires_at < app_now() - interval '1 hour')`,

  'a commission is part of its charge': `
    select 'transfer of ' || c.reference as subject, coalesce('at most ' || k.amount, 'a charge') as expected,
      c.amount || ' from ' || c.debit_account as found
    from transfer c left join transfer k on k.reference = c.reference and k.kind = 'call'
    where c.kind = 'commission' and (k.id is null or k.credit_account <> c.debit_account or c.amount > k.amount)`,

  'a refund goes back where the charge came from, at most what was charged': `
    with calls as (
      select identifier,
        min(debit_account) filter (where kind = 'call') as student, min(credit_account) filter (where kind = 'call') as teacher,
        coalesce(sum(amount) filter (where kind = 'call'), 0) as charged,
        coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
        coalesce(sum(amount) filter (where kind = 'commission'), 0) as commission,
        coalesce(sum(amount) filter (where kind = 'commission_refund'), 0) as given_back
      from (${CALLS}) t group by identifier
    )
    select 'call:' || c.identifier as subject, 'at most ' || charged || ' (commission ' || commission || ')' as expected,
      refunded || ' (commission ' || given_back || ')' as found
    from calls c where refunded > charged or given_back > commission
    union all
    select 'transfer of ' || t.reference, 'between ' || c.teacher || ' and ' || c.student,
      'from ' || t.debit_account || ' to ' || t.credit_account
    from (${CALLS}) t join calls c on c.identifier = t.identifier
    where (t.kind = 'call' and (t.debit_account, t.credit_account) is distinct from (c.student, c.teacher))
      or (t.kind = 'refund' and (t.debit_account, t.credit_account) is distinct from (c.teacher, c.student))
      or (t.kind = 'commission_refund' and t.credit_account is distinct from c.teacher)`,

  'payments of calls and refunds say what was moved': `
    with sides as (
      select case when kind in ('call', 'commission') then 'call:' || identifier else reference end as source,
        case when kind = 'call' then debit_account else credit_account end as user_id,
        case when kind = 'call' then 'call' else 'refund' end as type, amount
      from (${CALLS}) t where kind in ('call', 'refund')
      union all
      select case when kind in ('call', 'commission') then 'call:' || identifier else reference end,
        case when kind in ('call', 'commission_refund') then credit_account else debit_account end,
        case when kind in ('call', 'commission') then 'call' else 'refund' end,
        case when kind in ('call', 'refund') then amount else -amount end
      from (${CALLS}) t
    ), moved as (select source, user_id, type, sum(amount) as amount from sides group by source, user_id, type)
    select 'payment of ' || coalesce(p.source, m.source) || ' for user ' || coalesce(p.user_id, m.user_id) as subject,
      coalesce(m.type || ' ' || m.amount, 'none') as expected, coalesce(p.type || ' ' || p.amount, 'none') as found
    from (select * from payment where type in ('call', 'refund')) p
    full join moved m on m.source = p.source and m.user_id = p.user_id
    where (m.type, m.amount) is distinct from (p.type, p.amount) and (p.id is not null or m.amount <> 0)`,

  'payments of deposits and withdrawals say what their records say': `
    with records as (
      select 'deposit:' || id as source, user_id, 'deposit in' as kind, amount, status from deposit
      union all
      select 'withdrawal:' || id, user_id, 'withdrawal out', amount, status from withdrawal
    )
    select 'payment of ' || coalesce(p.source, r.source) as subject,
      coalesce(r.kind || ' ' || r.amount || ' ' || r.status || ' of user ' || r.user_id, 'none') as expected,
      coalesce(p.type || ' ' || p.direction || ' ' || p.amount || ' ' || p.status || ' of user ' || p.user_id, 'none') as found
    from (select * from payment where type in ('deposit', 'withdrawal')) p full join records r on r.source = p.source
    where (r.user_id, r.kind, r.amount, r.status)
      is distinct from (p.user_id, p.type || ' ' || p.direction, p.amount, p.status)`,

  'a payment names what was paid': `
    select 'payment:' || id as subject, 'the source of a ' || type as expected, type || ' of ' || source as found
    from payment where ${UNNAMED}`,
};
