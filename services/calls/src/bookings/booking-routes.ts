import { z } from 'zod';
import { fieldsOf, id, pathId, text } from '@tutoring/shared/http/declare/fields';
import { knownUser, listLimit, listRoute } from '@tutoring/shared/http/declare/page';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import type { Reader } from '@tutoring/shared/database/open';
import { known, type RuleViolation } from '@tutoring/shared/http/read/validation';
import { booking } from '@tutoring/shared/events/booking';
import { command } from '@tutoring/shared/internal/command';
import { exportOf } from '@tutoring/shared/internal/export-page';
import type { Parts } from '../parts.ts';
import { bookingNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { createBookings } from './booking-service.ts';
import { adminBooking, answerFields, bookingFilter, instant, shown, wish } from './booking.ts';
import { createBookingList, exportBookings, findBooking, inAYear, listBookings } from './booking-store.ts';

/** Nothing is booked more than a year ahead. */
async function tooFarAhead(reader: Reader, { starts_at: at }: { starts_at?: string | undefined }) {
  const isTooFar = at !== undefined && Date.parse(at) > Date.parse(await inAYear(reader));
  return isTooFar ? ([[['starts_at'], texts.booking.tooFar]] satisfies RuleViolation[]) : [];
}

const one = { params: z.object({ id: pathId() }), notFound: bookingNotFound, response: booking };

/** Lessons that are booked: for their two people, and for administrators. */
export function bookingRoutes(deps: Parts): Route[] {
  const { database, people, publicUrl } = deps;
  const { manager, standby } = database;
  const bookings = createBookings(deps);
  const listAll = createBookingList();
  return [
    route('post /api/bookings', {
      summary: 'Book a lesson',
      description:
        'For students. Whole free slots of the teacher, one after the other, else 409; also for a teacher who is banned ' +
        'or, where `require_verified_teacher` is 1, not verified. `requested` until the teacher confirms, or `confirmed` ' +
        'at once where `booking_auto_confirm` is 1. At most a year ahead; 409 while `max_open_requests` of the student, or 3 ' +
        'with this teacher, wait for an answer.',
      auth: 'student',
      body: wish,
      rules: ({ fields }) => tooFarAhead(manager, fields),
      response: booking,
      errors: ['conflict'],
      idempotent: true,
      handle: ({ caller, body, request }) => bookings.book(caller, body, request.idempotencyKey),
    }),
    ...(['confirm', 'decline'] as const).map((answer) =>
      route(`post /api/bookings/{id}/${answer}`, {
        summary: answer === 'confirm' ? 'Agree to a lesson' : 'Decline a lesson',
        description:
          'For the side that was asked: the teacher, or after a move the one that did not move it. `starts_at` is the time ' +
          'that the answer is about: 409 when it is another by now. Of a confirmed lesson with a `proposed_starts_at` the ' +
          `answer is about that: ${answer === 'confirm' ? 'the lesson moves' : 'the lesson stays as it was'}. ` +
          '409 when it is over.',
        auth: 'user',
        ...one,
        body: answerFields,
        errors: ['conflict'],
        handle: ({ caller, params, body }) => bookings.answer(caller, params.id, answer, body.starts_at),
      }),
    ),
    route('post /api/bookings/{id}/cancel', {
      summary: 'Call a lesson off',
      description:
        'For both, until `booking_cancel_hours` before it begins; later 409. A student withdraws a request that nobody has ' +
        'answered until it begins. `reason` is told to the other side.',
      auth: 'user',
      ...one,
      body: z.object({ reason: text(2_000).optional().meta({ example: 'I am ill.' }) }),
      errors: ['conflict'],
      handle: ({ caller, params, body }) => bookings.cancel(caller, params.id, body.reason),
    }),
    route('post /api/bookings/{id}/reschedule', {
      summary: 'Move a lesson',
      description:
        'For both, until `booking_cancel_hours` before it begins, a student’s request until it begins; later 409, also when ' +
        'the new time is not free. It lasts as long as before and begins with a slot, at most a year ahead; the notice binds ' +
        'students alone. A request moves at once, and the other side is asked again. A confirmed lesson keeps its time until ' +
        'the other side has confirmed `proposed_starts_at`, and both times are held. The time that it has already changes ' +
        'nothing, but withdraws a proposed one.',
      auth: 'user',
      ...one,
      body: z.object({ starts_at: instant() }),
      rules: ({ fields }) => tooFarAhead(manager, fields),
      errors: ['conflict'],
      handle: ({ caller, params, body }) => bookings.reschedule(caller, params.id, body.starts_at),
    }),
    route('get /api/bookings', {
      summary: 'List your lessons',
      description:
        'For students and teachers. `state` `upcoming`, the default: open ones that are not over, next first; `past`: all ' +
        'others, latest first. ' +
        'More: give the `id` of the last one as `before`; at most 100 at once, 50 unless `limit` says otherwise.',
      auth: 'user',
      query: z.object({
        state: z.enum(['upcoming', 'past']).optional().meta({ example: 'upcoming' }),
        before: id().optional().meta({ example: 12 }),
        limit: listLimit(100, 50),
      }),
      rules: known('before', (before: number, caller) => findBooking(manager, before, caller.id)),
      response: z.array(booking),
      handle: async ({ caller, query }) => (await listBookings(manager, caller.id, query)).map(shown),
    }),
    command('bookings.export', exportOf(standby.manager, exportBookings, shown)),
    listRoute('post /api/admin/bookingsall', {
      summary: 'Lessons of everybody, newest first',
      description:
        'For administrators. Paged. `user_id` finds the lessons of a student or teacher, `filter_value` those of people ' +
        'with a name, e-mail or phone number like it, or with that id; `from` and `to` are UTC days on which they were asked for, ' +
        '`starts_from` and `starts_to` those on which they begin.',
      auth: 'admin',
      body: bookingFilter,
      rules: knownUser(people),
      item: adminBooking,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listAll(standby.manager, filter, window);
        return { items: items.map((stored) => fieldsOf(adminBooking, stored)), total };
      },
    }),
  ];
}
