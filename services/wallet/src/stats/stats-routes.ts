import type { Database } from '@tutoring/shared/database/open';
import { command } from '@tutoring/shared/internal/command';
import { ledgerDays, revenueTotals, statusTotals } from './stats-store.ts';

/** This service's part of the dashboard. */
export function statsRoutes({ database }: { database: Database }) {
  return [
    command('wallet-stats.read', async () => {
      const [deposits, withdrawals, charged] = await Promise.all([
        statusTotals(database.standby.manager, 'deposit'),
        statusTotals(database.standby.manager, 'withdrawal'),
        revenueTotals(database.standby.manager),
      ]);
      return { deposits, withdrawals, ...charged };
    }),
    command('wallet-days.read', ({ query }) => ledgerDays(database.standby.manager, query)),
  ];
}
