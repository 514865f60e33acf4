import type { ExpectedDispute } from '../oracle/oracle.ts';
import type { Person } from '../person.ts';
import type { World } from '../world.ts';

interface RefundRow {
  id: number;
  amount: number;
  status: string;
  told: number;
}

/** Each confirmed refund has one row with a possible status, and was sent at most once. */
export async function refundsOf(world: World, student: Person): Promise<{ paid: number; held: number }> {
  const rows = await world.stack.sql<RefundRow>(
    'wallet',
    `select id, amount, status, (select count(*)::int from outbox o where o.name = 'money.announced'
       and o.data ->> 'what' = 'refund_sent' and (o.data ->> 'id')::bigint = r.id) as told
     from deposit_refund r where user_id = $1`,
    [student.id],
  );
  for (const refund of world.oracle.refunds.filter((expected) => expected.student === student.id)) {
    const row = rows.find(({ id }) => id === refund.id);
    if (!row) world.record.violation('a confirmed refund is lost', refund);
    // A dispute of its deposit cancels a refund that was not sent.
    else if (!refund.states.has(row.status) && row.status !== 'canceled')
      world.record.violation('a refund has an unexpected status', { row, states: [...refund.states] });
  }
  for (const row of rows) if (row.told > 1) world.record.violation('a refund was sent twice', row);
  const sum = (...statuses: string[]) =>
    rows.filter(({ status }) => statuses.includes(status)).reduce((total, { amount }) => total + amount, 0);
  return { paid: sum('success'), held: sum('requested', 'sent') };
}

interface DisputeRow {
  id: number;
  provider_ref: string;
  amount: number;
  status: string;
  taken: number;
  recovered: number;
  /** What the ledger has taken from and given back to the student. */
  out: number;
  back: number;
  /** What it has taken for the provider, and got back from it, in all. */
  claimed: number;
  returned: number;
  is_credited: boolean;
}

const DISPUTES = `
  select d.id, d.provider_ref, d.amount, d.status, d.taken, d.recovered, p.status = 'success' as is_credited,
    coalesce((select sum(amount) from transfer where dispute_id = d.id and debit_account = $1), 0)::int as out,
    coalesce((select sum(amount) from transfer where dispute_id = d.id and credit_account = $1), 0)::int as back,
    coalesce((select sum(amount) from transfer where dispute_id = d.id and credit_account = -10), 0)::int as claimed,
    coalesce((select sum(amount) from transfer where dispute_id = d.id and debit_account = -10), 0)::int as returned
  from dispute d join deposit p on p.id = d.deposit_id where d.user_id = $1`;

/** A dispute takes its amount once, and gives it back once when it is won. */
function checkDispute(world: World, { confirmed, sent }: ExpectedDispute, row: DisputeRow): void {
  const wrong = (what: string) => world.record.violation(what, row);
  if (confirmed.has('won') && row.status !== 'won') wrong('a won dispute is not won');
  if (row.status === 'won' && !sent.has('won')) wrong('a dispute is won without the word of the provider');
  if (row.claimed > row.amount) wrong('a dispute has taken more than its amount');
  if (row.returned > row.claimed) wrong('a dispute has given back more than it has taken');
  if (row.is_credited && row.status !== 'won' && row.claimed !== row.amount)
    wrong('a dispute has not taken its amount');
  if (row.status === 'won' && row.returned !== row.claimed) wrong('a won dispute has not given back its amount');
  if (row.out !== row.taken + row.recovered) wrong('a dispute has taken something else than it says');
}

/** Credits that did not pay the debts of their student in their own transaction. */
const UNRECOVERED = `
  with debt as (
    select t.id, t.xmin::text as tx,
      case when debit_account = -4 then t.amount when credit_account = -4 then -t.amount else 0 end as change
    from transfer t join dispute d on d.id = t.dispute_id where d.user_id = $1
  ), credit as (
    select t.id, t.xmin::text as tx, t.amount from transfer t join deposit p on p.id = t.deposit_id
    where t.kind = 'deposit' and p.user_id = $1
  ), due as (
    select c.*, least(c.amount, coalesce((select sum(change) from debt where debt.id < c.id), 0))::int as wanted,
      coalesce((select sum(t.amount) from transfer t join dispute d on d.id = t.dispute_id
        where d.user_id = $1 and t.kind = 'forfeit' and t.xmin::text = c.tx), 0)::int as recovered
    from credit c
  )
  select id, wanted, recovered from due where wanted <> recovered`;

/** What disputes have taken from the student, without what they have given back. */
export async function disputedOf(world: World, student: Person): Promise<number> {
  const rows = await world.stack.sql<DisputeRow>('wallet', DISPUTES, [student.id]);
  for (const expected of world.oracle.disputes.filter((dispute) => dispute.student === student.id)) {
    const row = rows.find(({ provider_ref }) => provider_ref === expected.ref);
    if (row) checkDispute(world, expected, row);
    else if (expected.confirmed.size > 0) world.record.violation('a confirmed dispute is lost', expected.ref);
  }
  const late = await world.stack.sql('wallet', UNRECOVERED, [student.id]);
  if (late.length > 0) world.record.violation('a credit did not pay a debt in its transaction', late.slice(0, 3));
  return rows.reduce((sum, { out, back }) => sum + out - back, 0);
}
