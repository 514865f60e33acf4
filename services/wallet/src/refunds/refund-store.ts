import type { Reader } from '@tutoring/shared/database/open';
import { row } from '@tutoring/shared/database/sql';
import type { CallTotals } from './refund.ts';

/** What the transfers of a call add up to; undefined when it never charged. */
export async function findCallTotals(reader: Reader, identifier: string): Promise<CallTotals | undefined> {
  const totals = await row<CallTotals>(
    reader,
    `select max(debit_account) filter (where kind = 'call') as student,
       max(credit_account) filter (where kind = 'call') as teacher,
       coalesce(sum(amount) filter (where kind = 'call'), 0) as charged,
       coalesce(sum(amount) filter (where kind = 'commission'), 0) as commission,
       coalesce(sum(amount) filter (where kind = 'refund'), 0) as refunded,
       coalesce(sum(amount) filter (where kind = 'commission_refund'), 0) as "commissionRefunded",
       count(*) filter (where kind = 'refund') as refunds
     from transfer where reference >= 'call:' || $1 || ':' and reference < 'call:' || $1 || ';'`,
    [identifier],
  );
  return totals && totals.charged > 0 ? totals : undefined;
}
