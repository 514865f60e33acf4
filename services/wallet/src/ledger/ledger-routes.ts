import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { id } from '@tutoring/shared/http/fields';
import { listLimit } from '@tutoring/shared/http/page';
import { route } from '@tutoring/shared/http/route';
import { command } from '@tutoring/shared/internal/command';
import { transactionSchema, walletSchema } from './account.ts';
import { findBalance, listTransactions } from './ledger-store.ts';

/** `before` and `limit` of the lists for users: newest first, below an id. */
export const cursorFields = {
  before: id().optional().meta({ example: 1043 }),
  limit: listLimit(100, 50),
};

export const cursor = (query: { before?: number | undefined; limit: number }) => ({
  before: query.before ?? Number.MAX_SAFE_INTEGER,
  limit: query.limit,
});

export function ledgerRoutes({ database, currency }: { database: Database; currency: string }) {
  return [
    route({
      method: 'get',
      path: '/api/wallet',
      summary: 'Own balance',
      description:
        'For students and teachers. `balance` is everything, `held` is reserved for a call or a withdrawal, ' +
        '`available` is the difference. The live event `wallet.balance` tells every change.',
      auth: 'user',
      response: walletSchema,
      handle: async ({ caller }) => {
        const { balance, available, held } = await findBalance(database.manager, caller.id);
        return { balance, available, held, currency };
      },
    }),
    route({
      method: 'get',
      path: '/api/wallet/transactions',
      summary: 'Own statement, newest first',
      description:
        'For students and teachers. Every movement of the own money. Older ones: give the id of the last as ' +
        '`before`; at most 100 at once, 50 unless `limit` says otherwise.',
      auth: 'user',
      query: z.object(cursorFields),
      response: z.array(transactionSchema),
      handle: ({ caller, query }) => listTransactions(database.manager, caller.id, cursor(query)),
    }),
    command('balance.read', {
      summary: "A user's balance",
      handle: async ({ params }) => ({ ...(await findBalance(database.manager, params.user_id)), currency }),
    }),
  ];
}
