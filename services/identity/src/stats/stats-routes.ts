import { day } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import { sentences, type Broken } from '@tutoring/shared/http/read/validation';
import { z } from 'zod';
import { STATS_FRESH_MS } from '../deadlines.ts';
import type { Foundations } from '../foundations.ts';
import { texts } from '../texts.ts';
import { dailyStats, dayView, isReversed, isTooLong, type Span } from './daily.ts';
import { mergeStats, PARTS, statsView, type Part } from './stats.ts';
import { saveStats, findStats, newAccounts, ownStats } from './stats-store.ts';

function brokenSpan(span: Span): Broken[] {
  if (isReversed(span)) return [[['to'], sentences.notBefore('from')]];
  return isTooLong(span) ? [[['to'], texts.tooManyDays]] : [];
}

type Deps = Pick<Foundations, 'database' | 'wallet' | 'messaging' | 'calls' | 'logger'>;

export function statsRoutes({ database, wallet, messaging, calls, logger }: Deps): Route[] {
  const { manager } = database;
  let known: { at: number; stats: Promise<z.infer<typeof statsView>> } | undefined;

  const ask = {
    wallet: () => wallet.ask('wallet-stats.read', {}),
    messaging: () => messaging.ask('messaging-stats.read', {}),
    calls: () => calls.ask('calls-stats.read', {}),
  };

  /** A service's figures; its last known ones when it is down. */
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
    const [own, ...others] = await Promise.all([ownStats(manager), ...PARTS.map(partOf)]);
    return mergeStats(own, Object.fromEntries(others));
  }

  /** Throws unavailable when one of the services is down: incomplete figures would look complete. */
  async function daily(span: Span) {
    const [registered, moved, called, written] = await Promise.all([
      newAccounts(manager, span),
      wallet.ask('wallet-days.read', span),
      calls.ask('calls-days.read', span),
      messaging.ask('messaging-days.read', span),
    ]);
    return dailyStats(span, [registered, moved, called, written]);
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
        'that is down contributes its last known figures.',
      auth: 'admin',
      response: statsView,
      handle: stats,
    }),
    route({
      method: 'get',
      path: '/api/admin/stats/daily',
      summary: 'Figures of each day',
      description:
        'For administrators. One row for each UTC day from `from` to `to`, oldest first, at most 366. Money and calls ' +
        'count on the day on which they moved or were accepted. 503 while a service is down.',
      auth: 'admin',
      query: z.object({ from: day().meta({ example: '2026-11-01' }), to: day().meta({ example: '2026-11-30' }) }),
      rules: ({ fields: { from, to } }) => Promise.resolve(from && to ? brokenSpan({ from, to }) : []),
      response: z.array(dayView),
      handle: ({ query }) => daily(query),
    }),
  ];
}
