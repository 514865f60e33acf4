import { inPages } from '@tutoring/shared/database/pages';
import { row, type Reader } from '@tutoring/shared/database/sql';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { CallTotals } from './refund.ts';

/** The sums of a call's transfers; undefined when it was never charged. */
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

/** The refunded amount of every refunded call, in pages by call, for `events resync`. */
export const allRefunds = (reader: Reader) =>
  inPages<EventData<'refunds.changed'>>(
    reader,
    `select ref as identifier, sum(amount) as refunded, count(*) as version from payment
     where type = 'refund' and direction = 'in' and ref > $1 group by ref order by ref limit $2`,
    'identifier',
    '',
  );
