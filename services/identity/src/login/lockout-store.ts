import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** Counts an attempt before it is made, and answers whether it may be made. */
export const chargeAttempt = async (tx: Tx, key: string, limit: number) =>
  (await row<{ allowed: boolean }>(tx, 'select charge_attempt($1, $2) as allowed', [key, limit]))?.allowed === true;

export const isLocked = async (tx: Tx, key: string) =>
  (await row(tx, 'select 1 from lockout where key = $1 and locked_until > app_now()', [key])) !== undefined;

/** Forgets the failures, and the lock, of an account. */
export const forgive = (tx: Tx, keys: string[]) => rows(tx, 'delete from lockout where key = any($1)', [keys]);

/** Removes what no longer counts. */
export const forgetOld = (tx: Tx) => rows(tx, `delete from lockout where touched_at < app_now() - interval '1 day'`);
