import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { PROVIDERS } from '../providers/registry.ts';
import { CLAIM_CHECKS, HELD } from './claim-check-store.ts';

/** A row that violates a check. */
export interface Finding {
  check: string;
  subject: string;
  expected: string;
  found: string;
}

/** Both sides of each transfer: the credited amount positive, the debited amount negative. */
export const MOVES = (where = 'true') => `
  select credit_account as account, amount from transfer where ${where}
  union all
  select debit_account, -amount from transfer where ${where}`;

/** Count, sum and hash (chained to the previous block) of the transfers with after_id < id <= up_to_id of `block`. */
export const SEAL = (block: string) => `
  select count(*) as transfers, coalesce(sum(amount), 0) as amount,
    encode(sha256(convert_to(concat_ws('|', ${block}.chain, ${block}.up_to_id, string_agg(concat_ws('|', id, kind,
      reference, debit_account, credit_account, amount, (extract(epoch from created_at) * 1000000)::bigint), ';'
      order by id)), 'UTF8')), 'hex') as chain
  from transfer where id > ${block}.after_id and id <= ${block}.up_to_id`;

const { revenue, forfeits, unclaimed, losses, payouts } = SYSTEM_ACCOUNTS;
const CLEARING = PROVIDERS.map(({ account }) => account).join(', ');

/** The references and sources that rows with these parts have. */
const DEPOSIT = `'deposit:' || deposit_id || ':' || number`;
const WITHDRAWAL = `'withdrawal:' || withdrawal_id || ':' || number`;
const FORFEIT = `'forfeit:' || debit_account || ':' || number`;
const CALL = `'call:' || call_identifier`;
const STEP = `${CALL} || ':step:' || number`;
const REFUND = `${CALL} || ':refund:' || number`;
const WITHDRAWAL_HOLD = `'withdrawal:' || withdrawal_id || ':hold:' || number`;
const DISPUTE = `'dispute:' || dispute_id || ':' || number`;
const DEPOSIT_REFUND = `'deposit-refund:' || refund_id || ':' || number`;
const DEPOSIT_REFUND_HOLD = `'deposit-refund:' || refund_id || ':hold'`;
const SOURCE = `case type when 'call' then ${CALL}
  when 'refund' then coalesce(${REFUND}, 'dispute:' || dispute_id || ':' || split_part(source, ':', 3),
    'deposit-refund:' || refund_id)
  when 'deposit' then 'deposit:' || deposit_id when 'withdrawal' then 'withdrawal:' || withdrawal_id end`;

/** The account that a deposit may credit: a user's, or `unclaimed`. */
const PAYEE = (account: string) => `(${account} > 0 or ${account} = ${unclaimed})`;

/** The platform's losses, which only disputes move. */
const LOSS = (account: string) => `(dispute_id is not null and ${account} = ${losses})`;

type Side = 'debit' | 'credit';

/** Records whose status does not match their transfers. */
const MISMATCHED = (record: string, to: Side, back: Side) => `
  with sides as (
    select ${record}_id as id, case kind when '${record}' then ${to}_account else ${back}_account end as account,
      sum(case kind when '${record}' then amount else -amount end) as net, count(*) filter (where kind = '${record}') as entries
    from transfer where kind in ('${record}', '${record}_reversal') and ${record}_id is not null group by 1, 2
  ), moved as (
    select id, sum(net) as net, sum(entries) as entries, min(net) as least, min(account) = ${unclaimed} as unclaimed,
      min(account) filter (where account > 0) as owner, max(account) filter (where account > 0) as other
    from sides group by id
  ), record as (select *, case when status = 'success' then amount else 0 end as net from ${record})
  select '${record}:' || coalesce(r.id, m.id) as subject,
    coalesce(r.net || ' of user ' || r.user_id || ' after ' || r.entries || ' entries', 'no transfer') as expected,
    coalesce(m.net, 0) || ' of user ' || coalesce(m.owner, r.user_id) || ' after ' || coalesce(m.entries, 0) || ' entries' as found
  from record r full join moved m on m.id = r.id
  where r.id is null or coalesce(m.net, 0) <> r.net or coalesce(m.entries, 0) <> r.entries
    or m.owner <> r.user_id or m.other <> r.user_id or m.least < 0
    or (m.unclaimed and not exists (select from account a where a.user_id = r.user_id and a.closed_until is not null offset 0))`;

const CALLS = `
  select call_identifier as identifier, reference, kind, debit_account, credit_account, amount
  from transfer where kind in ('call', 'commission', 'refund', 'commission_refund') and call_identifier is not null`;

export const NEWEST_BLOCK_CHECK = 'the newest block is the one that was written last';

/*
 * Each check is a statement that returns the rows that violate an invariant: `subject`, `expected`, `found`. A scope
 * may replace a table by a part of it; a name with `public.` always means the whole table.
 */

/** Checks of accounts and their sums. */
export const ACCOUNT_CHECKS = {
  'a balance is the sum of its transfers': `
    with sums as (select account, sum(amount) as balance from (${MOVES()}) m where account > 0 group by account)
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

  'blocks and statistics have counted the same transfers': `
    with days as (select coalesce(sum(count), 0) as transfers, coalesce(sum(amount), 0) as amount from ledger_day),
    blocks as (
      select up_to_id, transfers, amount from audit_block union all select 0, 0, 0 order by up_to_id desc limit 1
    )
    select 'the newest block' as subject, days.transfers || ' of ' || days.amount as expected,
      blocks.transfers || ' of ' || blocks.amount as found
    from blocks, days, ledger_day_mark mark
    where (days.transfers, days.amount) is distinct from (blocks.transfers, blocks.amount)
      and not exists (select from public.transfer where id > blocks.up_to_id and id <= mark.counted_to)`,
};

/** Checks of transfers and of the records, holds and payments that belong to them. */
export const TRANSFER_CHECKS = {
  'a transfer has the amount, the accounts and the reference of its kind': `
    select 'transfer:' || id as subject, 'a proper ' || kind as expected,
      amount || ' for ' || reference || ' from ' || debit_account || ' to ' || credit_account as found
    from transfer
    where amount <= 0 or debit_account = credit_account
      or reference is distinct from case
        when kind in ('deposit', 'deposit_reversal') then coalesce(${DEPOSIT}, ${DISPUTE}, ${DEPOSIT_REFUND})
        when kind in ('withdrawal', 'withdrawal_reversal') then ${WITHDRAWAL}
        when kind in ('call', 'commission') then ${STEP}
        when kind in ('refund', 'commission_refund') then ${REFUND}
        when kind = 'forfeit' then coalesce(${DISPUTE}, ${FORFEIT}) end
      or not case kind
        when 'deposit' then debit_account in (${CLEARING}) and (${PAYEE('credit_account')} or ${LOSS('credit_account')})
        when 'deposit_reversal' then (${PAYEE('debit_account')} or ${LOSS('debit_account')}) and credit_account in (${CLEARING})
        when 'withdrawal' then debit_account > 0 and credit_account = ${payouts}
        when 'withdrawal_reversal' then debit_account = ${payouts} and credit_account > 0
        when 'commission' then debit_account > 0 and credit_account = ${revenue}
        when 'commission_refund' then debit_account = ${revenue} and credit_account > 0
        when 'forfeit' then debit_account > 0
          and case when dispute_id is null then credit_account = ${forfeits} else credit_account = ${losses} end
        else debit_account > 0 and credit_account > 0 end`,

  'a reference is posted once': `
    select kind || ' ' || reference as subject, 1 as expected, count(*) as found
    from transfer group by kind, reference having count(*) > 1`,

  'a deposit in success has its money credited, another has not': MISMATCHED('deposit', 'credit', 'debit'),

  'a withdrawal in success is paid out, another is not': MISMATCHED('withdrawal', 'debit', 'credit'),

  'an open withdrawal holds its amount, another holds nothing': HELD(
    'withdrawal_id',
    `select 'withdrawal:' || id || ':hold:' || holds as reference, user_id, amount
     from withdrawal where status in ('initiated', 'pending')`,
  ),

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
    from (select * from payment where type in ('call', 'refund') and dispute_id is null and refund_id is null) p
    full join moved m on m.source = p.source and m.user_id = p.user_id
    where (m.type, m.amount) is distinct from (p.type, p.amount) and (p.id is not null or m.amount <> 0)`,

  'payments of deposits, withdrawals and refunds of deposits say what their records say': `
    with records as (
      select 'deposit:' || id as source, user_id, 'deposit in' as kind, amount, status from deposit
      union all
      select 'withdrawal:' || id, user_id, 'withdrawal out', amount, status from withdrawal
      union all
      select 'deposit-refund:' || id, user_id, 'refund out', amount,
        case status when 'requested' then 'initiated' when 'sent' then 'pending' when 'rejected' then 'canceled' else status end
      from deposit_refund
    )
    select 'payment of ' || coalesce(p.source, r.source) as subject,
      coalesce(r.kind || ' ' || r.amount || ' ' || r.status || ' of user ' || r.user_id, 'none') as expected,
      coalesce(p.type || ' ' || p.direction || ' ' || p.amount || ' ' || p.status || ' of user ' || p.user_id, 'none') as found
    from (select * from payment where type in ('deposit', 'withdrawal') or refund_id is not null) p full join records r on r.source = p.source
    where (r.user_id, r.kind, r.amount, r.status)
      is distinct from (p.user_id, p.type || ' ' || p.direction, p.amount, p.status)`,
};

/** Checks of blocks. */
export const BLOCK_CHECKS = {
  [NEWEST_BLOCK_CHECK]: `
    select 'the newest block' as subject, m.block || ' ' || m.chain as expected, coalesce(b.block || ' ' || b.chain, 'none') as found
    from audit_mark m left join (select * from audit_block order by block desc limit 1) b on true
    where (m.block, m.chain) is distinct from (coalesce(b.block, 0), coalesce(b.chain, ''))`,

  'the transfers of a block are those that were sealed': `
    select 'block:' || block.block || ' (transfers ' || after_id + 1 || ' to ' || up_to_id || ')' as subject,
      block.transfers || ' transfers of ' || block.amount || ' (' || left(sealed, 16) || ')' as expected,
      own.transfers || ' transfers of ' || own.amount || ' (' || left(own.chain, 16) || ')' as found
    from (
      select b.block, b.up_to_id, b.chain as sealed, b.transfers - coalesce(previous.transfers, 0) as transfers,
        b.amount - coalesce(previous.amount, 0) as amount, coalesce(previous.up_to_id, 0) as after_id,
        coalesce(previous.chain, '') as chain
      from audit_block b left join public.audit_block previous on previous.block = b.block - 1
    ) block cross join lateral (${SEAL('block')}) own
    where (block.transfers, block.amount, sealed) is distinct from (own.transfers, own.amount, own.chain)`,
};

/** Every check, including those that only the full audit runs. */
export const CHECKS: Record<string, string> = {
  ...ACCOUNT_CHECKS,
  ...TRANSFER_CHECKS,
  ...CLAIM_CHECKS,
  ...BLOCK_CHECKS,

  'a hold that is over holds nothing, an open one is of a call, a withdrawal or a refund': `
    select 'hold:' || reference as subject, 'nothing, or open for a call, a withdrawal or a refund' as expected,
      state || ' with ' || amount as found
    from hold
    where amount < 0 or (state <> 'open' and amount <> 0)
      or (state = 'open' and reference is distinct from coalesce(${CALL}, ${WITHDRAWAL_HOLD}, ${DEPOSIT_REFUND_HOLD}))`,

  'the hold of a call ends when nobody touches it': `
    select 'hold:' || reference as subject, 'to have expired' as expected, 'open since ' || expires_at as found
    from hold where state = 'open' and call_identifier is not null
      and (expires_at is null or expires_at < app_now() - interval '1 hour')`,

  'a payout that may be paid holds its withdrawal, a paid one has paid it': `
    with payout as (
      select id, withdrawal_id, status, amount, case when status = 'paid' then 'success' else 'pending' end as wanted
      from payout_item where status in ('waiting', 'sent', 'uncertain', 'paid')
    )
    select 'payout_item:' || p.id as subject, p.wanted || ' with ' || p.amount as expected,
      coalesce(w.status || ' with ' || w.amount, 'no withdrawal') as found
    from payout p left join withdrawal w on w.id = p.withdrawal_id
    where (w.status, w.amount) is distinct from (p.wanted, p.amount)`,

  'a payment names what was paid': `
    select 'payment:' || id as subject, 'the source of a ' || type as expected, type || ' of ' || source as found
    from payment where source is distinct from ${SOURCE}`,

  'a sealed sum is that of the transfers': `
    with sums as (
      select account, sum(amount) as balance
      from (${MOVES('id <= (select max(up_to_id) from audit_block)')}) m where account > 0 group by account
    )
    select 'sealed sum of account:' || coalesce(a.user_id, s.account) as subject, s.balance as expected, a.balance as found
    from audit_account a full join sums s on s.account = a.user_id where a.balance is distinct from s.balance`,
};
