import { day } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { z } from 'zod';
import { violations } from '../errors.ts';
import { texts } from '../texts.ts';
import { dayView, isReversed, isTooLong, statsView, type Span } from './stats.ts';
import type { StatsService } from './stats-service.ts';

const spanViolations = (span: Span) =>
  violations([isReversed(span), 'to', sentences.notBefore('from')], [isTooLong(span), 'to', texts.tooManyDays]);

export const statsRoutes = (stats: StatsService): Route[] => [
  route('get /api/admin/stats', {
    summary: 'Statistics',
    description:
      'For administrators. Figures of users, money, calls and messages, at most five seconds old; a service ' +
      'that is down contributes its last known figures.',
    auth: 'admin',
    response: statsView,
    handle: stats.stats,
  }),
  route('get /api/admin/stats/daily', {
    summary: 'Daily statistics',
    description:
      'For administrators. One row per UTC day from `from` to `to`, oldest first, at most 366. Money counts on the ' +
      'day of its movement, a call on the day of its acceptance, a booking or review on the day of its creation. 503 ' +
      'while a service is down.',
    auth: 'admin',
    query: z.object({ from: day().meta({ example: '2026-11-01' }), to: day().meta({ example: '2026-11-30' }) }),
    rules: ({ fields: { from, to } }) => Promise.resolve(from && to ? spanViolations({ from, to }) : []),
    response: z.array(dayView),
    handle: ({ query }) => stats.daily(query),
  }),
];
