import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import type { EventData } from '@tutoring/shared/contract/events';
import { FROZEN_SECONDS } from '../deadlines.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { post } from '../ledger/ledger-service.ts';
import { closeAccount, freezeAccount, lockAccounts, thawAccount, type Freeze } from '../ledger/ledger-store.ts';
import { countForfeits, findBalance } from '../ledger/statement-store.ts';
import type { Parts } from '../parts.ts';
import { publishRecord } from '../records/record-service.ts';
import { saveUsers } from '../users/user-store.ts';
import { erasePayoutAccounts, withdrawalKind, withdrawalStore } from '../withdrawals/withdrawal-store.ts';

export const obligationsOf = async (reader: Reader, id: number) => ({
  open_withdrawals: await withdrawalStore.countOpen(reader, id),
  balance: (await findBalance(reader, id)).balance,
});

/** Freezes the account if it may be deleted: no open withdrawal, and no money unless `mayForfeit`. */
export const freeze = ({ database }: Parts, id: number, mayForfeit: boolean) =>
  database.transact(async (tx) => {
    await lockAccounts(tx, [id]);
    const found = await obligationsOf(tx, id);
    const isFree = found.open_withdrawals === 0 && (found.balance === 0 || mayForfeit);
    const frozen = isFree ? await freezeAccount(tx, id, FROZEN_SECONDS) : undefined;
    return { ...found, ...(frozen && { frozen }) };
  });

export const thaw = ({ database }: Parts, id: number, frozen: Freeze) =>
  database.autocommit((tx) => thawAccount(tx, id, frozen));

/** Closes the account and transfers its available money to the platform. Returns the amount. */
export const forfeit = ({ database, currency }: Parts, id: number): Promise<number> =>
  database.transact(async (tx) => {
    const locked = await closeAccount(tx, id);
    const { available: amount } = await findBalance(tx, id);
    if (amount === 0) return 0;
    const reference = `forfeit:${id}:${(await countForfeits(tx, id)) + 1}`;
    const posting = { kind: 'forfeit' as const, reference, debit: id, credit: SYSTEM_ACCOUNTS.forfeits, amount };
    await post(tx, currency, posting, locked);
    return amount;
  });

/**
 * Stores copies of users. The deletion of a user erases the payout accounts and closes the account; the ledger stays.
 */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]): Promise<void> {
  await saveUsers(tx, users);
  for (const { id } of users.filter((user) => user.deleted)) {
    for (const withdrawal of await erasePayoutAccounts(tx, id)) await publishRecord(tx, withdrawalKind, withdrawal);
    await closeAccount(tx, id);
  }
}
