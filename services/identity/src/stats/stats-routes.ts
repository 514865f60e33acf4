import type { Database } from '@tutoring/shared/database/open';
import { route, type Route } from '@tutoring/shared/http/route';
import type { InternalClient } from '@tutoring/shared/internal/client';
import type { Logger } from '@tutoring/shared/logger';
import type { z } from 'zod';
import { STATS_FRESH_MS } from '../deadlines.ts';
import { mergeStats, PARTS, statsView, type Part } from './stats.ts';
import { saveStats, findStats, ownStats } from './stats-store.ts';

export function statsRoutes(deps: {
  database: Database;
  services: { [Service in Part]: InternalClient<Service> };
  logger: Logger;
}): Route[] {
  const { database, services, logger } = deps;
  const { manager } = database;
  let known: { at: number; stats: Promise<z.infer<typeof statsView>> } | undefined;

  const ask = {
    wallet: () => services.wallet.ask('wallet-stats.read', {}),
    messaging: () => services.messaging.ask('messaging-stats.read', {}),
    calls: () => services.calls.ask('calls-stats.read', {}),
  };

  /** A service's part; its last known one when it is down. */
  async function partOf(service: Part): Promise<[Part, unknown]> {
    try {
      const part = await ask[service]();
      await database.autocommit((tx) => saveStats(tx, service, part));
      return [service, part];
    } catch (error) {
      logger.warn({ err: error, from: service }, 'statistics are the last known ones');
      return [service, await findStats(manager, service)];
    }
  }

  async function gather() {
    const [own, ...told] = await Promise.all([ownStats(manager), ...PARTS.map(partOf)]);
    return mergeStats(own, Object.fromEntries(told));
  }

  function stats() {
    if (known && Date.now() - known.at < STATS_FRESH_MS) return known.stats;
    const gathering = { at: Date.now(), stats: gather() };
    known = gathering;
    gathering.stats.catch(() => {
      if (known === gathering) known = undefined;
    });
    return gathering.stats;
  }

  return [
    route({
      method: 'get',
      path: '/api/admin/stats',
      summary: 'Figures of the dashboard',
      description:
        'For administrators. Numbers of users, money, calls and messages, at most five seconds old; a service ' +
        'that is down contributes what it told last.',
      auth: 'admin',
      response: statsView,
      handle: stats,
    }),
  ];
}
