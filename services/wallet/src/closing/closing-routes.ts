import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { pathId } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { countForfeits, findBalance, type Ledger } from '../ledger/ledger-store.ts';
import { countOpenWithdrawals } from '../withdrawals/withdrawal-store.ts';

/** What identity asks and does before it deletes an account. */
export function closingRoutes({ database, ledger }: { database: Database; ledger: Ledger }) {
  const params = z.object({ id: pathId() });
  return [
    route({
      method: 'get',
      path: '/internal/users/{id}/obligations',
      summary: 'What stands against deleting an account',
      auth: 'service',
      params,
      response: z.strictObject({ open_withdrawals: z.int(), balance: z.int() }),
      handle: async ({ params: { id } }) => ({
        open_withdrawals: await countOpenWithdrawals(database.manager, id),
        balance: (await findBalance(database.manager, id)).balance,
      }),
    }),
    route({
      method: 'post',
      path: '/internal/users/{id}/forfeit',
      summary: "Posts what is left of a user's money to the platform; held money stays",
      auth: 'service',
      params,
      response: z.strictObject({ forfeited: z.int() }),
      handle: ({ params: { id } }) =>
        database.transact(async (tx) => {
          await ledger.lock(tx, [id]);
          const { available: amount } = await findBalance(tx, id);
          if (amount === 0) return { forfeited: 0 };
          const reference = `forfeit:${id}:${(await countForfeits(tx, id)) + 1}`;
          await ledger.post(tx, { kind: 'forfeit', reference, debit: id, credit: SYSTEM_ACCOUNTS.forfeits, amount });
          return { forfeited: amount };
        }),
    }),
  ];
}
