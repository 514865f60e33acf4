import type { ServiceName } from '@tutoring/shared/contract/names';
import type { Parts } from '../parts.ts';
import { dailyStats, NO_FIGURES, type DayView, type Span, type Stats } from './stats.ts';
import { findStats, newAccounts, ownStats, saveStats } from './stats-store.ts';

/** A service's figures; its last known ones when it is down. */
async function figuresOf<Figures>(
  { database, logger }: Parts,
  service: ServiceName,
  asked: Promise<Figures>,
  none: Figures,
): Promise<Figures> {
  try {
    const figures = await asked;
    await database.autocommit((tx) => saveStats(tx, service, figures));
    return figures;
  } catch (error) {
    logger.warn({ err: error, from: service }, 'statistics of a service are outdated: it did not answer');
    return (await findStats<Figures>(database.standby.manager, service)) ?? none;
  }
}

export async function gather(parts: Parts): Promise<Stats> {
  const [{ as_of, ...people }, { revenue, commission, ...moved }, called, written] = await Promise.all([
    ownStats(parts.database.standby.manager),
    figuresOf(parts, 'wallet', parts.wallet.ask('wallet-stats.read', {}), NO_FIGURES.wallet),
    figuresOf(parts, 'calls', parts.calls.ask('calls-stats.read', {}), NO_FIGURES.calls),
    figuresOf(parts, 'messaging', parts.messaging.ask('messaging-stats.read', {}), NO_FIGURES.messaging),
  ]);
  return { ...people, ...moved, calls: { ...called, revenue, commission }, ...written, as_of };
}

/** Throws unavailable when one of the services is down: incomplete figures would look complete. */
export const daily = async ({ database, wallet, calls, messaging }: Parts, span: Span): Promise<DayView[]> =>
  dailyStats(
    span,
    await Promise.all([
      newAccounts(database.standby.manager, span),
      wallet.ask('wallet-days.read', span),
      calls.ask('calls-days.read', span),
      messaging.ask('messaging-days.read', span),
    ]),
  );
