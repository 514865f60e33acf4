import { createCache } from '@tutoring/shared/kit/cache';
import { day } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { z } from 'zod';
import { STATS_MAX_AGE_MS } from '../deadlines.ts';
import { violations } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import * as stats from './stats-service.ts';
import { dayView, isReversed, isTooLong, statsView, type Span } from './stats.ts';

const spanViolations = (span: Span) =>
  violations([isReversed(span), 'to', sentences.notBefore('from')], [isTooLong(span), 'to', texts.tooManyDays]);

export function statsRoutes(parts: Parts): Route[] {
  const cached = createCache(() => stats.gather(parts), STATS_MAX_AGE_MS);
  return [
    route('get /api/admin/stats', {
      summary: 'Statistics',
      description:
        'For administrators. Figures of users, money, calls and messages, at most five seconds old; a service ' +
        'that is down contributes its last known figures.',
      auth: 'admin',
      right: 'figures',
      response: statsView,
      handle: cached,
    }),
    route('get /api/admin/stats/daily', {
      summary: 'Daily statistics',
      description:
        'For administrators. One row per UTC day from `from` to `to`, oldest first, at most 366. Money counts on the ' +
        'day of its movement, a call on the day of its acceptance, a booking or review on the day of its creation. 503 ' +
        'while a service is down.',
      auth: 'admin',
      right: 'figures',
      query: z.object({ from: day().meta({ example: '2026-11-01' }), to: day().meta({ example: '2026-11-30' }) }),
      rules: ({ fields: { from, to } }) => Promise.resolve(from && to ? spanViolations({ from, to }) : []),
      response: z.array(dayView),
      handle: ({ query }) => stats.daily(parts, query),
    }),
  ];
}
