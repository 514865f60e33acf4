import type { Tx } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { lockAccounts } from '../ledger/ledger-store.ts';

/** No new money moves on the account for the next `seconds`. The account must be locked. */
export const freezeAccount = (tx: Tx, userId: number, seconds: number) =>
  rows(
    tx,
    `update account set closed_until = greatest(closed_until, app_now() + make_interval(secs => $2)) where user_id = $1`,
    [userId, seconds],
  );

/** No new money moves on the account from now on. */
export async function closeAccount(tx: Tx, userId: number): Promise<void> {
  await lockAccounts(tx, [userId]);
  await rows(tx, `update account set closed_until = 'infinity' where user_id = $1`, [userId]);
}
