import type { Database, Reader, Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { FROZEN_SECONDS } from '../deadlines.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger-service.ts';
import { lockAccounts } from '../ledger/ledger-store.ts';
import { countForfeits, findBalance } from '../ledger/statement-store.ts';
import { saveUsers } from '../users/user-store.ts';
import { publishWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { withdrawalStore, forgetAccounts } from '../withdrawals/withdrawal-store.ts';
import { closeAccount, freezeAccount, thawAccount, type Freeze } from './closing-store.ts';

export const obligationsOf = async (reader: Reader, id: number) => ({
  open_withdrawals: await withdrawalStore.countOpen(reader, id),
  balance: (await findBalance(reader, id)).balance,
});

export function createClosing({ database, ledger }: { database: Database; ledger: Ledger }) {
  return {
    /** Freezes the account when nothing stands against its deletion; `forfeit`: money does not. */
    freeze: (id: number, forfeit: boolean) =>
      database.transact(async (tx) => {
        await lockAccounts(tx, [id]);
        const found = await obligationsOf(tx, id);
        const isFree = found.open_withdrawals === 0 && (found.balance === 0 || forfeit);
        const frozen = isFree ? await freezeAccount(tx, id, FROZEN_SECONDS) : undefined;
        return { ...found, ...(frozen && { frozen }) };
      }),

    thaw: (id: number, freeze: Freeze) => database.autocommit((tx) => thawAccount(tx, id, freeze)),

    /** Closes the account; what is available of its money goes to the platform. Returns how much. */
    forfeit: (id: number): Promise<number> =>
      database.transact(async (tx) => {
        const locked = await closeAccount(tx, id);
        const { available: amount } = await findBalance(tx, id);
        if (amount === 0) return 0;
        const reference = `forfeit:${id}:${(await countForfeits(tx, id)) + 1}`;
        const posting = { kind: 'forfeit' as const, reference, debit: id, credit: SYSTEM_ACCOUNTS.forfeits, amount };
        await ledger.post(tx, posting, locked);
        return amount;
      }),
  };
}

export type Closing = ReturnType<typeof createClosing>;

/** Stores the copies of different users. A deletion removes the payout accounts and closes the account; the ledger stays. */
export async function applyUserChanges(tx: Tx, users: EventData<'user.changed'>[]): Promise<void> {
  await saveUsers(tx, users);
  for (const { id } of users.filter((user) => user.deleted)) {
    for (const withdrawal of await forgetAccounts(tx, id)) await publishWithdrawal(tx, withdrawal);
    await closeAccount(tx, id);
  }
}
