import { createCache } from '@tutoring/shared/kit/cache';
import type { ServiceName } from '@tutoring/shared/contract/names';
import { STATS_MAX_AGE_MS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import { dailyStats, NO_FIGURES, type DayView, type Span, type Stats } from './stats.ts';
import { findStats, newAccounts, ownStats, saveStats } from './stats-store.ts';

/** The dashboard's figures, of all services. */
export function createStats({ database, wallet, messaging, calls, logger }: Parts) {
  const { manager } = database.standby;

  /** A service's figures; its last known ones when it is down. */
  async function figuresOf<Figures>(service: ServiceName, asked: Promise<Figures>, none: Figures): Promise<Figures> {
    try {
      const figures = await asked;
      await database.autocommit((tx) => saveStats(tx, service, figures));
      return figures;
    } catch (error) {
      logger.warn({ err: error, from: service }, 'statistics of a service are outdated: it did not answer');
      return (await findStats<Figures>(manager, service)) ?? none;
    }
  }

  async function gather(): Promise<Stats> {
    const [{ as_of, ...people }, { revenue, commission, ...moved }, called, written] = await Promise.all([
      ownStats(manager),
      figuresOf('wallet', wallet.ask('wallet-stats.read', {}), NO_FIGURES.wallet),
      figuresOf('calls', calls.ask('calls-stats.read', {}), NO_FIGURES.calls),
      figuresOf('messaging', messaging.ask('messaging-stats.read', {}), NO_FIGURES.messaging),
    ]);
    return { ...people, ...moved, calls: { ...called, revenue, commission }, ...written, as_of };
  }

  return {
    /** At most five seconds old. */
    stats: createCache(gather, STATS_MAX_AGE_MS),

    /** Throws unavailable when one of the services is down: incomplete figures would look complete. */
    daily: async (span: Span): Promise<DayView[]> =>
      dailyStats(
        span,
        await Promise.all([
          newAccounts(manager, span),
          wallet.ask('wallet-days.read', span),
          calls.ask('calls-days.read', span),
          messaging.ask('messaging-days.read', span),
        ]),
      ),
  };
}

export type StatsService = ReturnType<typeof createStats>;
