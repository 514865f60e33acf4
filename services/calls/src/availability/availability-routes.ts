import { z } from 'zod';
import { day, pathId, timestamp } from '@tutoring/shared/http/declare/fields';
import { route } from '@tutoring/shared/http/declare/route';
import { sentences } from '@tutoring/shared/http/read/validation';
import type { Parts } from '../parts.ts';
import { teacherNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { availabilityFields, brokenHours } from './availability.ts';
import { changeAvailability, slotsOf } from './availability-service.ts';
import { readAvailability } from './availability-store.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 31;

const slot = z.strictObject({ starts_at: timestamp(), ends_at: timestamp() }).meta({ id: 'Slot' });
const shownAt = (time: number) => new Date(time).toISOString().replace(/Z$/, '000Z');
const object = z.strictObject(availabilityFields).meta({ id: 'Availability' });

/** When a teacher gives lessons, and what is free of it. */
export const availabilityRoutes = (deps: Parts) => [
  route('get /api/me/availability', {
    summary: 'Your hours',
    description: 'For teachers. Without hours of your own: no hours, in UTC.',
    auth: 'teacher',
    response: object,
    handle: ({ caller }) => readAvailability(deps.database.manager, caller.id),
  }),
  route('put /api/me/availability', {
    summary: 'Change your hours',
    description:
      'For teachers. `weekly` and `exceptions` are wall time in `time_zone` (IANA); `day` is 1 (Monday) to 7. An ' +
      'exception adds hours to its date, or with `available: false` takes them away. Bookings stay as they are. All ' +
      'fields are required.',
    auth: 'teacher',
    body: z.object(availabilityFields),
    rules: async ({ fields }) => brokenHours(fields),
    response: object,
    handle: ({ caller, body }) => changeAvailability(deps.database, caller.id, body),
  }),
  route('get /api/teachers/{id}/slots', {
    summary: 'When a teacher is free',
    description:
      'For students and teachers. The free slots that begin on the UTC days `from` to `to`, at most 31, in their ' +
      'order and in UTC. An hour that the change to summer time leaves out has no slot, one that comes twice has its ' +
      'slots at both instants. None of a teacher who cannot be booked.',
    auth: 'user',
    params: z.object({ id: pathId() }),
    query: z.object({ from: day().meta({ example: '2026-11-23' }), to: day().meta({ example: '2026-11-30' }) }),
    rules: async ({ fields: { from, to } }) => {
      if (from === undefined || to === undefined) return [];
      if (to < from) return [[['to'], sentences.notBefore('from')]];
      return Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS ? [[['to'], texts.availability.tooLong]] : [];
    },
    notFound: teacherNotFound,
    response: z.array(slot),
    handle: async ({ params, query }) => {
      const window = { from: Date.parse(query.from), to: Date.parse(query.to) + DAY_MS };
      const slots = await slotsOf(deps, params.id, window);
      return slots.map(({ from, to }) => ({ starts_at: shownAt(from), ends_at: shownAt(to) }));
    },
  }),
];
