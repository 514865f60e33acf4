import { prepared, type Reader } from '@tutoring/shared/database/sql';
import type { Hold } from '../ledger/account.ts';
import type { Charge } from './charge.ts';
import type { PriorCharge, Records } from './charge-step.ts';

const FIND_RECORDS = {
  name: 'charge_records',
  sql: `
  select c.hold, h.user_id, h.amount, h.state, h.expires_at, h.version,
    t.debit_account as student, t.amount as charged, (select app_now() + make_interval(secs => $3)) as until
  from unnest($1::text[], $2::text[]) with ordinality as c(reference, hold, nr)
  left join hold h on h.reference = c.hold
  left join transfer t on t.reference = c.reference and t.kind = 'call'
  order by c.nr`,
};

interface FoundRecord {
  hold: string;
  /** null: there is no such hold */
  user_id: number | null;
  amount: number;
  state: Hold['state'];
  expires_at: string | null;
  version: number;
  /** null: nothing was charged so far */
  student: number | null;
  charged: number;
  until: string;
}

/** The holds and earlier charges of these charges, and the time in `seconds` from now: read it after the lock. */
export async function findRecords(
  reader: Reader,
  charges: Charge[],
  seconds: number,
): Promise<Records & { until: string }> {
  const found = await prepared<FoundRecord>(reader, FIND_RECORDS, [
    charges.map(({ reference }) => reference),
    charges.map(({ hold }) => hold),
    seconds,
  ]);
  const holds = new Map<string, Hold>();
  const prior = new Map<string, PriorCharge>();
  for (const [index, { hold, user_id, amount, state, expires_at, version, student, charged }] of found.entries()) {
    if (user_id !== null) holds.set(hold, { reference: hold, user_id, amount, state, expires_at, version });
    if (student !== null) prior.set((charges[index] as Charge).reference, { student, amount: charged });
  }
  return { holds, prior, until: (found[0] as FoundRecord).until };
}
