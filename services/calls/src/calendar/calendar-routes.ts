import { z } from 'zod';
import { isNamed } from '@tutoring/shared/http/serve/download';
import { Reply, route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { CALENDAR_PATH, createCalendars } from './calendar-service.ts';

const SAMPLE = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
const file = z.instanceof(Buffer).meta({ override: { type: 'string' }, example: SAMPLE });
const link = z.strictObject({
  url: z.string().meta({ example: 'https://api.example.com/api/bookings.ics?token=12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi' }),
});

/** Confirmed lessons in people's own calendars. */
export function calendarRoutes(deps: Parts): Route[] {
  const calendars = createCalendars(deps);
  return [
    route('get /api/bookings/feed', {
      summary: 'The link to your calendar of lessons',
      description:
        'For students and teachers. Calendars subscribe to it; whoever has it can read when your lessons are. It stays ' +
        'the same until it is renewed.',
      auth: 'user',
      response: link,
      errors: ['not_found'],
      handle: ({ caller }) => calendars.linkOf(caller),
    }),
    route('post /api/bookings/feed', {
      summary: 'Renew the link to your calendar',
      description: 'For students and teachers. The link before ends at once.',
      auth: 'user',
      response: link,
      errors: ['not_found'],
      handle: ({ caller }) => calendars.renew(caller),
    }),
    route(`get ${CALENDAR_PATH}`, {
      summary: 'Your lessons, for a calendar',
      description:
        'Public: the link of `GET api/bookings/feed`. The confirmed lessons as iCalendar (RFC 5545), in no envelope; times ' +
        'are in UTC. Lessons that are over stay for 90 days; at most 500 lessons are in it, those to come first. `SEQUENCE` ' +
        'and `DTSTAMP` change only with the lesson. An `ETag` names the text: `If-None-Match` with it is a 304 while nothing ' +
        'has changed, and HEAD answers like GET without the body. 404, also on the HTTP line, for a link that was renewed ' +
        'or never was one; 429 for one that is read more than 120 times a minute.',
      auth: 'public',
      query: z.object({ token: z.string().optional().meta({ example: '12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi' }) }),
      response: file,
      errors: ['not_found', 'rate_limited'],
      produces: 'text/calendar',
      handle: async ({ query, request }) => {
        const { tag, read } = await calendars.open(query.token ?? '');
        const headers = { etag: tag, 'cache-control': 'private, no-cache' };
        if (isNamed(tag, request.header('if-none-match'))) return new Reply(Buffer.alloc(0), { status: 304, headers });
        return new Reply(await read(), {
          headers: { ...headers, 'content-disposition': 'inline; filename="lessons.ics"' },
        });
      },
    }),
  ];
}
