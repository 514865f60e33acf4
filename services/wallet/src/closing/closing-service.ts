import type { Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { saveUser } from '../users/user-store.ts';
import { tellWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { forgetAccounts } from '../withdrawals/withdrawal-store.ts';
import { closeAccount } from './closing-store.ts';

/** Keeps the copy of a user; who is deleted leaves the payout accounts, and the account is closed; the ledger stays. */
export async function hearUser(tx: Tx, user: EventData<'user.changed'>): Promise<void> {
  await saveUser(tx, user);
  if (!user.deleted) return;
  for (const withdrawal of await forgetAccounts(tx, user.id)) await tellWithdrawal(tx, withdrawal);
  await closeAccount(tx, user.id);
}
