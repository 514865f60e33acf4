import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';
import { HOLD_SECONDS } from '../deadlines.ts';
import type { Charge, ChargeAnswer, ChargeVerdict } from './charge.ts';

/** Charges one step: a statement and a transaction of its own. */
export async function chargeOne(tx: Tx, charge: Charge, currency: string): Promise<ChargeVerdict> {
  const verdict = await row<ChargeVerdict>(
    tx,
    'select verdict, charged, reserved, available from charge_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
    [
      charge.reference,
      charge.hold,
      charge.studentId,
      charge.teacherId,
      charge.amount,
      charge.commissionPercent,
      charge.nextAmount,
      charge.identifier,
      charge.callType,
      HOLD_SECONDS,
      currency,
      charge.context,
    ],
  );
  return verdict as ChargeVerdict;
}

interface Busy {
  verdict: 'busy';
}

/** The context of each charge by everything that its events are about. */
function contextsOf(charges: Charge[]): string {
  const entries = charges.flatMap(({ reference, hold, studentId, teacherId, context }) =>
    [reference, hold, String(studentId), String(teacherId)].map((key) => `${JSON.stringify(key)}:${context}`),
  );
  return `{${entries.join(',')}}`;
}

/**
 * Charges many steps of different students in one transaction; verdicts in the same order, `busy` for those whose accounts
 * somebody else is at.
 */
export function chargeMany(tx: Tx, charges: Charge[], currency: string): Promise<(ChargeVerdict | Busy)[]> {
  return rows<ChargeVerdict | Busy>(
    tx,
    `select verdict, charged, reserved, available
     from charge_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      charges.map((charge) => charge.reference),
      charges.map((charge) => charge.hold),
      charges.map((charge) => charge.studentId),
      charges.map((charge) => charge.teacherId),
      charges.map((charge) => charge.amount),
      charges.map((charge) => charge.commissionPercent),
      charges.map((charge) => charge.nextAmount),
      charges.map((charge) => charge.identifier),
      charges.map((charge) => charge.callType),
      contextsOf(charges),
      HOLD_SECONDS,
      currency,
    ],
  );
}

/** What a reference was charged, with what its call has reserved and its student available now. */
export function findCharge(tx: Tx, reference: string): Promise<ChargeAnswer | undefined> {
  return row<ChargeAnswer>(
    tx,
    `select t.amount as charged, coalesce(h.amount, 0) as reserved, a.balance - a.held as available
     from transfer t
     join account a on a.user_id = t.debit_account
     left join hold h on h.reference = regexp_replace(t.reference, ':step:\\d+$', '') and h.state = 'open'
     where t.reference = $1 and t.kind = 'call'`,
    [reference],
  );
}
