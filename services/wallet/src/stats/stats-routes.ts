import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { route } from '@tutoring/shared/http/route';
import { status } from '../records/record.ts';
import { revenueTotals, statusTotals } from './stats-store.ts';

const totals = z.strictObject({ count: z.int(), amount: z.int(), by_status: z.record(status(), z.int()) });

/** This service's part of the dashboard. */
export function statsRoutes({ database }: { database: Database }) {
  return [
    route({
      method: 'get',
      path: '/internal/stats',
      summary: 'Totals of deposits, withdrawals and charges',
      auth: 'service',
      response: z.strictObject({ deposits: totals, withdrawals: totals, revenue: z.int(), commission: z.int() }),
      handle: async () => {
        const [deposits, withdrawals, charged] = await Promise.all([
          statusTotals(database.manager, 'deposit'),
          statusTotals(database.manager, 'withdrawal'),
          revenueTotals(database.manager),
        ]);
        return { deposits, withdrawals, ...charged };
      },
    }),
  ];
}
