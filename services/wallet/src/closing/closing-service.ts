import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import type { EventData } from '@tutoring/shared/contract/events';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { FROZEN_SECONDS } from '../deadlines.ts';
import { countOpenRefunds, eraseReasons } from '../deposit-refunds/deposit-refund-store.ts';
import { writeOffDebts } from '../disputes/dispute-service.ts';
import { countOpenDisputes } from '../disputes/dispute-store.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { post } from '../ledger/ledger-service.ts';
import { closeAccount, freezeAccount, lockAccounts, thawAccount, type Freeze } from '../ledger/ledger-store.ts';
import { countForfeits, findBalance } from '../ledger/statement-store.ts';
import { shortenAccounts } from '../batches/item-store.ts';
import type { Parts } from '../parts.ts';
import { removeAccountsOf } from '../payout-accounts/payout-account-store.ts';
import { publishRecord } from '../records/record-service.ts';
import { saveUsers } from '../users/user-store.ts';
import { erasePayoutAccounts, withdrawalKind, withdrawalStore } from '../withdrawals/withdrawal-store.ts';

/** What stands against the deletion of an account; refunds and disputes only if there are any. */
export async function obligationsOf(reader: Reader, id: number) {
  const open_withdrawals = await withdrawalStore.countOpen(reader, id);
  const { balance } = await findBalance(reader, id);
  const open_refunds = await countOpenRefunds(reader, id);
  const open_disputes = await countOpenDisputes(reader, id);
  const isOffered = balance > 0 && (await readSettings(reader, ['deposit_refunds'])).deposit_refunds > 0;
  return {
    open_withdrawals,
    balance,
    ...(open_refunds > 0 && { open_refunds }),
    ...(open_disputes > 0 && { open_disputes }),
    ...(isOffered && { refunds_offered: true }),
  };
}

/** Freezes the account if it may be deleted: nothing is open, and no money unless `mayForfeit`. */
export const freeze = ({ database }: Parts, id: number, mayForfeit: boolean) =>
  database.transact(async (tx) => {
    await lockAccounts(tx, [id]);
    const found = await obligationsOf(tx, id);
    const open = found.open_withdrawals + (found.open_refunds ?? 0) + (found.open_disputes ?? 0);
    const isFree = open === 0 && (found.balance === 0 || mayForfeit);
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
 * Stores copies of users. The deletion of a user erases the payout accounts and the texts of refunds, writes off debts
 * and closes the account; the ledger stays.
 */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]): Promise<void> {
  await saveUsers(tx, users);
  for (const { id } of users.filter((user) => user.deleted)) {
    for (const withdrawal of await erasePayoutAccounts(tx, id)) await publishRecord(tx, withdrawalKind, withdrawal);
    await removeAccountsOf(tx, id);
    await shortenAccounts(tx, id);
    await closeAccount(tx, id);
    await writeOffDebts(tx, id);
    await eraseReasons(tx, id);
  }
}
