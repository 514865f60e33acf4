import { z } from 'zod';
import { pickFields, id, pathId, text } from '@tutoring/shared/kit/http/declare/fields';
import { userMustExist, listLimit, listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { mustExist, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { booking } from '@tutoring/shared/contract/booking';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import type { Parts } from '../parts.ts';
import { bookingNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import * as bookings from './booking-service.ts';
import { adminBooking, answerFields, bookingFilter, instant, presentBooking, bookingRequest } from './booking.ts';
import { createBookingList, exportBookings, findBooking, latestBookableTime, listBookings } from './booking-store.ts';

/** Returns a violation for a lesson more than a year ahead. */
async function tooFarAhead(reader: Reader, { starts_at: at }: { starts_at?: string | undefined }) {
  const isTooFar = at !== undefined && Date.parse(at) > Date.parse(await latestBookableTime(reader));
  return isTooFar ? ([[['starts_at'], texts.booking.tooFar]] satisfies RuleViolation[]) : [];
}

const byId = { params: z.object({ id: pathId() }), notFound: bookingNotFound, response: booking };

export function bookingRoutes(parts: Parts): Route[] {
  const { database, people, publicUrl } = parts;
  const { manager, standby } = database;
  const listAll = createBookingList();
  return [
    route('post /api/bookings', {
      summary: 'Book a lesson',
      description:
        'For students. The time must consist of consecutive free slots of the teacher, otherwise 409; also 409 for a teacher ' +
        'who is banned or, where `require_verified_teacher` is 1, not verified. The booking is `requested` until the teacher ' +
        'confirms it, or `confirmed` at once where `booking_auto_confirm` is 1. At most a year ahead; 409 while ' +
        '`max_open_requests` requests of the student, or 3 to this teacher, wait for an answer.',
      auth: 'student',
      body: bookingRequest,
      rules: ({ fields }) => tooFarAhead(manager, fields),
      response: booking,
      errors: ['conflict'],
      idempotent: true,
      handle: ({ caller, body, once }) => bookings.book(parts, caller, body, once),
    }),
    ...(['confirm', 'decline'] as const).map((answer) =>
      route(`post /api/bookings/{id}/${answer}`, {
        summary: answer === 'confirm' ? 'Confirm a lesson' : 'Decline a lesson',
        description:
          'For the side that has to answer: the teacher, or after a move the side that did not move it. `starts_at` is the ' +
          'time that the answer refers to: 409 when the time has changed. For a confirmed lesson with a `proposed_starts_at`, ' +
          `the answer refers to the proposal: ${answer === 'confirm' ? 'the lesson moves' : 'the lesson keeps its time'}. ` +
          '409 when the lesson is over.',
        auth: 'user',
        ...byId,
        body: answerFields,
        errors: ['conflict'],
        handle: ({ caller, params, body }) => bookings.answer(parts, caller, params.id, answer, body.starts_at),
      }),
    ),
    route('post /api/bookings/{id}/cancel', {
      summary: 'Cancel a lesson',
      description:
        'For both, until `booking_cancel_hours` before the lesson begins; later 409. A student can withdraw an unanswered ' +
        'request until it begins. The other side receives `reason`.',
      auth: 'user',
      ...byId,
      body: z.object({ reason: text(2_000).optional().meta({ example: 'I am ill.' }) }),
      errors: ['conflict'],
      handle: ({ caller, params, body }) => bookings.cancel(parts, caller, params.id, body.reason),
    }),
    route('post /api/bookings/{id}/reschedule', {
      summary: 'Move a lesson',
      description:
        'For both, until `booking_cancel_hours` before the lesson begins, for a student’s own request until it begins; later ' +
        '409, also when the new time is not free. The lesson keeps its length and must begin with a slot, at most a year ' +
        'ahead; only students must observe `min_notice_minutes`. A request moves at once and needs a new answer. A ' +
        'confirmed lesson keeps its time until the other side confirms `proposed_starts_at`; until then both times are ' +
        'taken. The current time as `starts_at` changes nothing, except that it withdraws a proposal.',
      auth: 'user',
      ...byId,
      body: z.object({ starts_at: instant() }),
      rules: ({ fields }) => tooFarAhead(manager, fields),
      errors: ['conflict'],
      handle: ({ caller, params, body }) => bookings.reschedule(parts, caller, params.id, body.starts_at),
    }),
    route('get /api/bookings', {
      summary: 'List your lessons',
      description:
        'For students and teachers. `state` `upcoming`, the default: open lessons that are not over, next first; `past`: all ' +
        'others, latest first. For the next page give the `id` of the last lesson as `before`; a page has 50 lessons, or ' +
        '`limit`, at most 100.',
      auth: 'user',
      query: z.object({
        state: z.enum(['upcoming', 'past']).optional().meta({ example: 'upcoming' }),
        before: id().optional().meta({ example: 12 }),
        limit: listLimit(100, 50),
      }),
      rules: mustExist('before', (before: number, caller) => findBooking(manager, before, caller.id)),
      response: z.array(booking),
      handle: async ({ caller, query }) => (await listBookings(manager, caller.id, query)).map(presentBooking),
    }),
    command('bookings.export', exportHandler(standby.manager, exportBookings, presentBooking)),
    listRoute('post /api/admin/bookingsall', {
      summary: 'List all lessons, newest first',
      description:
        'For administrators. Paged. `user_id` finds the lessons of a student or teacher, `filter_value` the lessons of people ' +
        'with a similar name, e-mail or phone number, or with that id; `from` and `to` limit the UTC day of the request, ' +
        '`starts_from` and `starts_to` that of the start.',
      auth: 'admin',
      right: 'lessons',
      body: bookingFilter,
      rules: userMustExist(people),
      item: adminBooking,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listAll(standby.manager, filter, window);
        return { items: items.map((stored) => pickFields(adminBooking, stored)), total };
      },
    }),
  ];
}
