import { z } from 'zod';
import { Reply, route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { CALENDAR_PATH, createCalendars } from './calendar-service.ts';

const SAMPLE = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n';
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
        'are in UTC. 404, also on the HTTP line, for a link that was renewed or never was one.',
      auth: 'public',
      query: z.object({ token: z.string().optional().meta({ example: '12.Zx8vQmJ2kR5tY7wLp0aBcDeFgHi' }) }),
      response: z.string().meta({ example: SAMPLE }),
      errors: ['not_found'],
      produces: 'text/calendar',
      handle: async ({ query }) =>
        new Reply(await calendars.read(query.token ?? ''), {
          headers: { 'content-disposition': 'inline; filename="lessons.ics"' },
        }),
    }),
  ];
}
