import { command } from '@tutoring/shared/contract/command';
import type { Parts } from '../parts.ts';
import { ledgerDays, revenueTotals, statusTotals } from './stats-store.ts';

/** Statistics of this service for the dashboard. */
export function statsRoutes({ database: { standby } }: Parts) {
  return [
    command('wallet-stats.read', async () => {
      const [deposits, withdrawals, charged] = await Promise.all([
        statusTotals(standby.manager, 'deposit'),
        statusTotals(standby.manager, 'withdrawal'),
        revenueTotals(standby.manager),
      ]);
      return { deposits, withdrawals, ...charged };
    }),
    command('wallet-days.read', ({ query }) => ledgerDays(standby.manager, query)),
  ];
}
