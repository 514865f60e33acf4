import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { findPostings } from './receipt-store.ts';
import { receiptOf } from './receipt.ts';

export const receiptRoutes = ({ database, currency }: { database: Database; currency: string }) => [
  command('call-ledger.read', {
    summary: 'What a call has moved, by the ledger',
    handle: async ({ params }) => ({ currency, ...receiptOf(await findPostings(database.manager, params.identifier)) }),
  }),
];
