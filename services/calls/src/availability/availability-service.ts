import type { Database, Reader } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import type { People } from '../copies/person-service.ts';
import { teacherNotFound } from '../errors.ts';
import { NONE, shownAvailability, type Availability } from './availability.ts';
import { findAvailability, findTaken, saveAvailability } from './availability-store.ts';
import { freeSlots, type Range } from './slot.ts';

const MINUTE_MS = 60_000;
/** Bookings last a day at most: what is taken may begin so long before. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** What would end later has a year of five digits, which timestamps of answers have not. */
const LAST_MS = Date.parse('9999-12-31T00:00:00Z');

export interface OpenSlots {
  slots: Range[];
  /** Of each slot, in milliseconds. */
  length: number;
  time_zone: string;
  /** The time, by which they are free. */
  now: number;
}

/** The free slots that begin in `window`; those of a booking that is to be moved count as free. */
export async function openSlots(
  reader: Reader,
  teacherId: number,
  window: Range,
  exceptId?: number,
): Promise<OpenSlots> {
  const availability = (await findAvailability(reader, teacherId)) ?? NONE;
  const around = { from: window.from - LONGEST_MS, to: window.to + LONGEST_MS };
  const { now, taken } = await findTaken(reader, teacherId, around, exceptId);
  const from = Math.max(window.from, now + availability.min_notice_minutes * MINUTE_MS);
  const to = Math.min(window.to, LAST_MS);
  const slots = from < to ? freeSlots(availability, { from, to }, taken) : [];
  return { slots, length: availability.slot_minutes * MINUTE_MS, time_zone: availability.time_zone, now };
}

const areVerifiedOnly = async (reader: Reader) =>
  (await readSettings(reader, ['require_verified_teacher'])).require_verified_teacher === 1;

export function createAvailability({ database, people }: { database: Database; people: People }) {
  return {
    read: async (teacherId: number) => shownAvailability((await findAvailability(database.manager, teacherId)) ?? NONE),

    save: (teacherId: number, given: Availability) =>
      database.transact(async (tx) => {
        await saveAvailability(tx, teacherId, given);
        return given;
      }),

    /**
     * The free slots that begin in `window` (milliseconds since 1970); none of a teacher who is banned, or not
     * verified where that is required. Throws not_found for who is no teacher; unavailable when identity must be asked
     * and does not answer.
     */
    async slots(teacherId: number, window: Range): Promise<Range[]> {
      const teacher = (await people.find([teacherId])).get(teacherId);
      assertThat(teacher?.platform === 'teacher' && !teacher.deleted, teacherNotFound);
      const reader = database.manager;
      const isListed = teacher.status === 'active' && (teacher.verified || !(await areVerifiedOnly(reader)));
      return isListed ? (await openSlots(reader, teacherId, window)).slots : [];
    },
  };
}

export type AvailabilityOf = ReturnType<typeof createAvailability>;
