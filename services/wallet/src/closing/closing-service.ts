import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { saveUser } from '../users/user-store.ts';
import { publishWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { forgetAccounts } from '../withdrawals/withdrawal-store.ts';
import { closeAccount } from './closing-store.ts';

/** Stores the copy of a user. A deletion removes the payout accounts and closes the account; the ledger stays. */
export async function applyUserChange(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  await saveUser(tx, user);
  if (!user.deleted) return;
  for (const withdrawal of await forgetAccounts(tx, user.id)) await publishWithdrawal(tx, withdrawal);
  await closeAccount(tx, user.id);
}
