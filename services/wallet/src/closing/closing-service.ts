import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { saveUsers } from '../users/user-store.ts';
import { publishWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { forgetAccounts } from '../withdrawals/withdrawal-store.ts';
import { closeAccount } from './closing-store.ts';

/** Stores the copies of different users. A deletion removes the payout accounts and closes the account; the ledger stays. */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]): Promise<void> {
  await saveUsers(tx, users);
  for (const { id } of users.filter((user) => user.deleted)) {
    for (const withdrawal of await forgetAccounts(tx, id)) await publishWithdrawal(tx, withdrawal);
    await closeAccount(tx, id);
  }
}
