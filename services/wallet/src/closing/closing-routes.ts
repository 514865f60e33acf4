import { z } from 'zod';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { flag, pathId } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { countForfeits, findBalance, type Ledger } from '../ledger/ledger-store.ts';
import { countOpenWithdrawals } from '../withdrawals/withdrawal-store.ts';
import { closeAccount, freezeAccount } from './closing-store.ts';

/** Longer than identity takes to delete an account, once it may. */
const FROZEN_SECONDS = 30;

const params = z.object({ id: pathId() });
const obligations = z.strictObject({ open_withdrawals: z.int(), balance: z.int() });

const obligationsOf = async (tx: Tx, id: number): Promise<z.infer<typeof obligations>> => ({
  open_withdrawals: await countOpenWithdrawals(tx, id),
  balance: (await findBalance(tx, id)).balance,
});

/** What identity asks and does before it deletes an account. */
export function closingRoutes({ database, ledger }: { database: Database; ledger: Ledger }) {
  return [
    route({
      method: 'get',
      path: '/internal/users/{id}/obligations',
      summary: 'What stands against deleting an account',
      auth: 'service',
      params,
      response: obligations,
      handle: ({ params: { id } }) => obligationsOf(database.manager, id),
    }),
    route({
      method: 'post',
      path: '/internal/users/{id}/obligations',
      summary: 'The same; when nothing stands against it, no new money moves while identity deletes the account',
      auth: 'service',
      params,
      body: z.object({ forfeit: flag().default(false) }),
      response: obligations,
      handle: ({ params: { id }, body: { forfeit } }) =>
        database.transact(async (tx) => {
          await ledger.lock(tx, [id]);
          const found = await obligationsOf(tx, id);
          const isFree = found.open_withdrawals === 0 && (found.balance === 0 || forfeit);
          if (isFree) await freezeAccount(tx, id, FROZEN_SECONDS);
          return found;
        }),
    }),
    route({
      method: 'post',
      path: '/internal/users/{id}/forfeit',
      summary: "Closes an account and posts what is left of its user's money to the platform; held money stays",
      auth: 'service',
      params,
      response: z.strictObject({ forfeited: z.int() }),
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
