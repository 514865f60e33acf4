import type { Tx } from '@tutoring/shared/database/open';
import { row, rows, sweep } from '@tutoring/shared/database/sql';

export interface Standing {
  /** Failures of the account that count now. */
  failures: number;
  /** Whether anything is remembered of the account. */
  known: boolean;
  /** Whether the account or the address is locked. */
  locked: boolean;
}

export const standing = async (tx: Tx, account: string, address: string) =>
  (await row<Standing>(
    tx,
    `select coalesce(max(failures) filter (where key = $1 and since > n.at - interval '15 minutes'), 0) as failures,
       coalesce(bool_or(key = $1), false) as known, coalesce(bool_or(locked_until > n.at), false) as locked
     from lockout, (select app_now() as at) n where key in ($1, $2)`,
    [account, address],
  ))!;

/** Counts a failure of each key; the limit'th within fifteen minutes locks it. */
export const chargeFailure = (tx: Tx, charges: [key: string, limit: number][]) =>
  rows(tx, 'select charge_attempt(c.key, c.max) from unnest($1::text[], $2::int[]) as c(key, max)', [
    charges.map(([key]) => key),
    charges.map(([, limit]) => limit),
  ]);

/** Forgets the failures, and the lock, of an account. */
export const forgive = (tx: Tx, keys: string[]) => rows(tx, 'delete from lockout where key = any($1)', [keys]);

/** Removes what no longer counts; true when there may be more. */
export const forgetOld = (tx: Tx) =>
  sweep(tx, { table: 'lockout', age: 'touched_at', where: `touched_at < (select app_now()) - interval '1 day'` });
