import { z } from 'zod';
import { day, pathId, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { JsonText, Reply, route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import type { Parts } from '../parts.ts';
import { teacherNotFound } from '../errors.ts';
import { texts } from '../texts.ts';
import { availabilityFields, hoursViolations } from './availability.ts';
import { changeAvailability, slotsOf } from './availability-service.ts';
import { createSlotCache } from './slot-cache.ts';
import { readAvailability } from './availability-store.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 31;

const slotObject = z.strictObject({ starts_at: timestamp(), ends_at: timestamp() }).meta({ id: 'Slot' });
/** Hours that an older release stored may have a time zone that is no longer known. */
const availabilityObject = z
  .strictObject({ ...availabilityFields, time_zone: z.string().meta({ example: 'Africa/Abidjan' }) })
  .meta({ id: 'Availability' });

export function availabilityRoutes(parts: Parts): Route[] {
  const cache = createSlotCache();
  return [
    route('get /api/me/availability', {
      summary: 'Get your hours',
      description: 'For teachers. Before the first change: no hours, in UTC.',
      auth: 'teacher',
      response: availabilityObject,
      handle: ({ caller }) => readAvailability(parts.database.manager, caller.id),
    }),
    route('put /api/me/availability', {
      summary: 'Change your hours',
      description:
        'For teachers. `weekly` and `exceptions` are wall time in `time_zone`: a name of the IANA database, stored in its ' +
        'canonical case. `day` is 1 (Monday) to 7; hours that meet at midnight are joined and have one grid of slots. An ' +
        'exception adds hours to its date, or with `available: false` removes them. Existing bookings do not change. All ' +
        'fields are required.',
      auth: 'teacher',
      body: z.object(availabilityFields),
      rules: async ({ fields }) => hoursViolations(fields),
      response: availabilityObject,
      handle: ({ caller, body }) => changeAvailability(parts, caller.id, body),
    }),
    route('get /api/teachers/{id}/slots', {
      summary: 'List the free slots of a teacher',
      description:
        'For students and teachers. The free slots that begin on the UTC days `from` to `to`, at most 31 days, in ' +
        'chronological order and in UTC. An hour that the change to summer time skips has no slots; an hour that is repeated ' +
        'has its slots at both instants. Empty for a teacher who cannot be booked.',
      auth: 'user',
      params: z.object({ id: pathId() }),
      query: z.object({ from: day().meta({ example: '2026-11-23' }), to: day().meta({ example: '2026-11-30' }) }),
      rules: async ({ fields: { from, to } }) => {
        if (from === undefined || to === undefined) return [];
        if (to < from) return [[['to'], sentences.notBefore('from')]];
        return Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY_MS ? [[['to'], texts.availability.tooLong]] : [];
      },
      notFound: teacherNotFound,
      response: z.array(slotObject),
      handle: async ({ params, query }) => {
        const window = { from: Date.parse(query.from), to: Date.parse(query.to) + DAY_MS };
        return new Reply(new JsonText(await slotsOf(parts, cache, params.id, window)));
      },
    }),
  ];
}
