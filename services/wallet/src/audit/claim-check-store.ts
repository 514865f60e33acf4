import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';

const { losses } = SYSTEM_ACCOUNTS;

/** Open holds with this column that differ from the wanted ones. */
export const HELD = (column: 'withdrawal_id' | 'refund_id', wanted: string) => `
  with held as (
    select reference, user_id, amount from hold where state = 'open' and ${column} is not null
  ), wanted as (${wanted})
  select 'hold:' || coalesce(h.reference, w.reference) as subject,
    coalesce(w.amount || ' of user ' || w.user_id, 'nothing') as expected,
    coalesce(h.amount || ' of user ' || h.user_id, 'nothing') as found
  from held h full join wanted w on w.reference = h.reference
  where (h.amount, h.user_id) is distinct from (w.amount, w.user_id)`;

/** Checks of disputes and refunds of deposits with their transfers, holds and payments. */
export const CLAIM_CHECKS = {
  'a dispute has moved what it says': `
    with moved as (
      select dispute_id as id, count(*) as entries,
        coalesce(sum(amount) filter (where kind = 'deposit_reversal' and debit_account <> ${losses}), 0) as taken,
        coalesce(sum(amount) filter (where kind = 'deposit_reversal' and debit_account = ${losses}), 0) as lost,
        coalesce(sum(amount) filter (where kind = 'forfeit'), 0) as recovered,
        coalesce(sum(amount) filter (where kind = 'deposit' and credit_account = ${losses}), 0) as to_platform,
        coalesce(sum(amount) filter (where kind = 'deposit' and credit_account <> ${losses}), 0) as to_student,
        min(greatest(debit_account, credit_account)) filter (where greatest(debit_account, credit_account) > 0) as owner,
        max(greatest(debit_account, credit_account)) filter (where greatest(debit_account, credit_account) > 0) as other
      from transfer where dispute_id is not null group by 1
    ), wanted as (
      select *, case when taken_at is null then 0 else amount end as claimed,
        case when returned_at is null then 0 else taken + recovered end as back from dispute
    )
    select 'dispute:' || coalesce(d.id, m.id) as subject,
      coalesce(d.claimed || ' of user ' || d.user_id || ', ' || d.taken || ' taken', 'no transfer') as expected,
      coalesce(m.taken + m.lost, 0) || ' of user ' || coalesce(m.owner, d.user_id) || ', ' || coalesce(m.taken, 0) || ' taken' as found
    from wanted d full join moved m on m.id = d.id
    where d.id is null or coalesce(m.entries, 0) <> d.entries or coalesce(m.taken + m.lost, 0) <> d.claimed
      or coalesce(m.taken, 0) <> d.taken or coalesce(m.recovered, 0) <> d.recovered
      or coalesce(m.to_student, 0) <> d.back
      or (d.returned_at is null and coalesce(m.lost - m.recovered, 0) <> d.owed + d.written_off)
      or (d.returned_at is not null and (d.owed <> 0 or d.status <> 'won' or m.to_platform <> d.amount - d.back))
      or (d.status = 'won' and d.taken_at is not null and d.returned_at is null)
      or m.owner <> d.user_id or m.other <> d.user_id`,

  'payments of disputes say what was moved': `
    with moved as (
      select t.reference as source, d.user_id, t.amount, case t.kind when 'deposit' then 'in' else 'out' end as direction
      from transfer t join dispute d on d.id = t.dispute_id
      where t.kind = 'forfeit' or ${losses} not in (t.debit_account, t.credit_account)
    )
    select 'payment of ' || coalesce(p.source, m.source) as subject,
      coalesce(m.direction || ' ' || m.amount || ' of user ' || m.user_id, 'none') as expected,
      coalesce(p.direction || ' ' || p.amount || ' of user ' || p.user_id, 'none') as found
    from (select * from payment where dispute_id is not null) p full join moved m on m.source = p.source
    where (m.user_id, m.direction, m.amount, 'success') is distinct from (p.user_id, p.direction, p.amount, p.status)`,

  'a refund of a deposit in success is paid out, another is not': `
    with moved as (
      select refund_id as id, sum(case kind when 'deposit_reversal' then amount else -amount end) as net,
        max(greatest(debit_account, credit_account)) as owner
      from transfer where refund_id is not null group by 1
    ), record as (select *, case when status = 'success' then amount else 0 end as net from deposit_refund)
    select 'deposit-refund:' || coalesce(r.id, m.id) as subject,
      coalesce(r.net || ' of user ' || r.user_id, 'no transfer') as expected,
      coalesce(m.net, 0) || ' of user ' || coalesce(m.owner, r.user_id) as found
    from record r full join moved m on m.id = r.id
    where r.id is null or coalesce(m.net, 0) <> r.net or (m.owner > 0 and m.owner <> r.user_id)`,

  'an open refund of a deposit holds its amount, another holds nothing': HELD(
    'refund_id',
    `select 'deposit-refund:' || id || ':hold' as reference, user_id, amount
     from deposit_refund where status in ('requested', 'sent')`,
  ),
};
