import type { Database, Reader } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { FROZEN_SECONDS } from '../deadlines.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import type { Ledger } from '../ledger/ledger-service.ts';
import { countForfeits, findBalance, lockAccounts } from '../ledger/ledger-store.ts';
import { countOpenWithdrawals } from '../withdrawals/withdrawal-store.ts';
import { closeAccount, freezeAccount, thawAccount } from './closing-store.ts';

const obligationsOf = async (reader: Reader, id: number) => ({
  open_withdrawals: await countOpenWithdrawals(reader, id),
  balance: (await findBalance(reader, id)).balance,
});

/** Commands that identity sends before it deletes an account. */
export function closingRoutes({ database, ledger }: { database: Database; ledger: Ledger }) {
  return [
    command('obligations.read', {
      summary: 'What stands against deleting an account',
      handle: ({ params: { id } }) => obligationsOf(database.manager, id),
    }),
    command('obligations.check', {
      summary: 'The same; when nothing stands against it, no new money moves while identity deletes the account',
      handle: ({ params: { id }, body: { forfeit } }) =>
        database.transact(async (tx) => {
          await lockAccounts(tx, [id]);
          const found = await obligationsOf(tx, id);
          const isFree = found.open_withdrawals === 0 && (found.balance === 0 || forfeit);
          const frozen = isFree ? await freezeAccount(tx, id, FROZEN_SECONDS) : undefined;
          return { ...found, ...(frozen && { frozen }) };
        }),
    }),
    command('account.thaw', {
      summary: 'Ends a freeze, because identity does not delete the account',
      handle: async ({ params: { id }, body }) => {
        await database.autocommit((tx) => thawAccount(tx, id, body));
        return {};
      },
    }),
    command('balance.forfeit', {
      summary: "Closes an account and posts what is left of its user's money to the platform; held money stays",
      handle: ({ params: { id } }) =>
        database.transact(async (tx) => {
          await closeAccount(tx, id);
          const { available: amount } = await findBalance(tx, id);
          if (amount === 0) return { forfeited: 0 };
          const reference = `forfeit:${id}:${(await countForfeits(tx, id)) + 1}`;
          await ledger.post(tx, { kind: 'forfeit', reference, debit: id, credit: SYSTEM_ACCOUNTS.forfeits, amount });
          return { forfeited: amount };
        }),
    }),
  ];
}
