import { row, rows, type Tx } from '@tutoring/shared/database/sql';
import type { CommandAnswer } from '@tutoring/shared/internal/catalogue';
import type { Account } from '../ledger/account.ts';
import { lockAccounts } from '../ledger/ledger-store.ts';

export type Freeze = NonNullable<CommandAnswer<'obligations.check'>['frozen']>;

/** No new money moves on the account for the next `seconds`; undefined for a closed one. The account must be locked. */
export const freezeAccount = (tx: Tx, userId: number, seconds: number) =>
  row<Freeze>(
    tx,
    `with earlier as (
       select user_id, closed_until from account where user_id = $1 and closed_until is distinct from 'infinity')
     update account a set closed_until = greatest(a.closed_until, app_now() + make_interval(secs => $2))
     from earlier e where a.user_id = e.user_id returning a.closed_until as until, e.closed_until as before`,
    [userId, seconds],
  );

/** Ends this freeze, unless a later one or the closing has taken its place. */
export const thawAccount = (tx: Tx, userId: number, { until, before }: Freeze) =>
  rows(tx, 'update account set closed_until = $3 where user_id = $1 and closed_until = $2', [userId, until, before]);

/** No new money moves on the account from now on. Returns it, locked. */
export async function closeAccount(tx: Tx, userId: number): Promise<Map<number, Account>> {
  const locked = await lockAccounts(tx, [userId]);
  await rows(tx, `update account set closed_until = 'infinity' where user_id = $1`, [userId]);
  return locked;
}
