import type { Reader, Tx } from '@tutoring/shared/database/open';
import { prepared, row } from '@tutoring/shared/database/sql';
import type { ChargeAnswer } from './charge.ts';
import type { PaymentGrowth, PriorCharge } from './charge-step.ts';

const FIND_PRIOR = {
  name: 'charges_prior',
  sql: `select reference, debit_account as student, amount from transfer
    where reference = any($1::text[]) and kind = 'call'`,
};

/** What `references` have charged so far. */
export async function findPriorCharges(reader: Reader, references: string[]): Promise<Map<string, PriorCharge>> {
  const found = await prepared<PriorCharge & { reference: string }>(reader, FIND_PRIOR, [references]);
  return new Map(found.map((charge) => [charge.reference, charge]));
}

const GROW_PAYMENTS = {
  name: 'payments_grow',
  sql: `
  with side as materialized (
    select * from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
      as s(source, user_id, direction, amount, ref, details)
  ), grown as (
    update payment p set amount = p.amount + s.amount, updated_at = (select app_now())
    from side s where p.source = s.source and p.user_id = s.user_id
    returning p.source, p.user_id
  )
  insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
  select s.source, s.user_id, 'call', s.direction, s.amount, $7, 'success', s.ref, s.details, now.at, now.at
  from side s, (select app_now() as at) as now
  where not exists (select from grown g where g.source = s.source and g.user_id = s.user_id)`,
};

/** Lets the payments of calls grow, and begins those that are new. Violates payment_source when somebody else was faster. */
export async function growPayments(tx: Tx, sides: PaymentGrowth[], currency: string): Promise<void> {
  if (sides.length === 0) return;
  await prepared(tx, GROW_PAYMENTS, [
    sides.map(({ source }) => source),
    sides.map(({ userId }) => userId),
    sides.map(({ direction }) => direction),
    sides.map(({ amount }) => amount),
    sides.map(({ ref }) => ref),
    sides.map(({ details }) => details),
    currency,
  ]);
}

/** What a reference was charged, with what its call has reserved and its student available now. */
export function findCharge(reader: Reader, reference: string): Promise<ChargeAnswer | undefined> {
  return row<ChargeAnswer>(
    reader,
    `select t.amount as charged, coalesce(h.amount, 0) as reserved, a.balance - a.held as available
     from transfer t
     join account a on a.user_id = t.debit_account
     left join hold h on h.reference = regexp_replace(t.reference, ':step:\\d+$', '') and h.state = 'open'
     where t.reference = $1 and t.kind = 'call'`,
    [reference],
  );
}
