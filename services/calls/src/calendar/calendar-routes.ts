import { z } from 'zod';
import { matchesEtag } from '@tutoring/shared/kit/http/serve/download';
import { Reply, route, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { Parts } from '../parts.ts';
import { CALENDAR_PATH, createCalendarState } from './calendar-service.ts';
import * as calendars from './calendar-service.ts';

const SAMPLE = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
const file = z.instanceof(Buffer).meta({ override: { type: 'string' }, example: SAMPLE });
const link = z
  .strictObject({
    url: z.string().meta({ example: 'https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi' }),
  })
  .meta({ id: 'CalendarLink' });

const ofLink = { auth: 'user' as const, response: link, errors: ['not_found' as const] };

export function calendarRoutes(parts: Parts): Route[] {
  const state = createCalendarState();
  return [
    route('get /api/bookings/feed', {
      summary: 'Get the link to your calendar of lessons',
      description:
        'For students and teachers. Calendar apps subscribe to it. Anyone who has the link can read your lessons. It stays ' +
        'the same until it is renewed.',
      ...ofLink,
      handle: ({ caller }) => calendars.linkOf(parts, caller),
    }),
    route('post /api/bookings/feed', {
      summary: 'Renew the link to your calendar',
      description: 'For students and teachers. The previous link stops working at once.',
      ...ofLink,
      handle: ({ caller }) => calendars.renew(parts, caller),
    }),
    route(`get ${CALENDAR_PATH}`, {
      summary: 'Get your lessons as a calendar',
      description:
        'Public: the link of `GET api/bookings/feed`. The confirmed lessons as iCalendar (RFC 5545), without an envelope; ' +
        'times are in UTC. Past lessons stay for 90 days; a calendar has at most 500 lessons, upcoming ones first. `SEQUENCE` ' +
        'and `DTSTAMP` change only with the lesson. With its `ETag` in `If-None-Match`, an unchanged calendar is a 304. HEAD ' +
        'answers like GET without the body. 404, also as the HTTP status, for a link that is unknown or was renewed; 429 for ' +
        'a link that is read more than 120 times a minute.',
      auth: 'public',
      query: z.object({ token: z.string().optional().meta({ example: '12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi' }) }),
      response: file,
      errors: ['not_found', 'rate_limited'],
      produces: 'text/calendar',
      handle: async ({ query, request }) => {
        const { tag, read } = await calendars.open(parts, state, query.token ?? '');
        const headers = { etag: tag, 'cache-control': 'private, no-cache' };
        if (matchesEtag(tag, request.header('if-none-match')))
          return new Reply(Buffer.alloc(0), { status: 304, headers });
        return new Reply(await read(), {
          headers: { ...headers, 'content-disposition': 'inline; filename="lessons.ics"' },
        });
      },
    }),
  ];
}
