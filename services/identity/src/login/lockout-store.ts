import type { Tx } from '@tutoring/shared/database/open';
import { row, rows } from '@tutoring/shared/database/sql';

/** Counts an attempt before it is made. */
export const chargeAttempt = (tx: Tx, key: string, limit: number) =>
  rows(tx, 'select charge_attempt($1, $2)', [key, limit]);

/** Counts an attempt on an account before it is made, and answers whether account and address may make it. */
export const admit = async (tx: Tx, attempt: { account: string; limit: number; address: string }) =>
  (await row<{ admitted: boolean }>(
    tx,
    `select charge_attempt($1, $2)
       and not exists (select from lockout where key = $3 and locked_until > app_now()) as admitted`,
    [attempt.account, attempt.limit, attempt.address],
  ))!.admitted;

/** Forgets the failures, and the lock, of an account. */
export const forgive = (tx: Tx, keys: string[]) => rows(tx, 'delete from lockout where key = any($1)', [keys]);

/** Removes what no longer counts. */
export const forgetOld = (tx: Tx) => rows(tx, `delete from lockout where touched_at < app_now() - interval '1 day'`);
