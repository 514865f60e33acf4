import type { Database, Reader } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import type { Parts } from '../parts.ts';
import { teacherNotFound } from '../errors.ts';
import type { Availability } from './availability.ts';
import { findTaken, readAvailability, saveAvailability } from './availability-store.ts';
import { freeSlots, type Range } from './slot.ts';

const MINUTE_MS = 60_000;
/** Bookings last a day at most: what is taken may begin so long before. */
const LONGEST_MS = 24 * 60 * MINUTE_MS;
/** What would end later has a year of five digits, which timestamps of answers have not. */
const LAST_MS = Date.parse('9999-12-31T00:00:00Z');

/**
 * The free slots that begin in `window`, each `length` milliseconds long, and the time by which they are free; those of
 * a booking that is to be moved count as free.
 */
export async function openSlots(reader: Reader, teacherId: number, window: Range, exceptId?: number) {
  const availability = await readAvailability(reader, teacherId);
  const around = { from: window.from - LONGEST_MS, to: window.to + LONGEST_MS };
  const { now, taken } = await findTaken(reader, teacherId, around, exceptId);
  const from = Math.max(window.from, now + availability.min_notice_minutes * MINUTE_MS);
  const to = Math.min(window.to, LAST_MS);
  const slots = from < to ? freeSlots(availability, { from, to }, taken) : [];
  return { slots, length: availability.slot_minutes * MINUTE_MS, time_zone: availability.time_zone, now };
}

const areVerifiedOnly = async (reader: Reader) =>
  (await readSettings(reader, ['require_verified_teacher'])).require_verified_teacher === 1;

export const changeAvailability = (database: Database, teacherId: number, given: Availability) =>
  database.transact(async (tx) => {
    await saveAvailability(tx, teacherId, given);
    return given;
  });

/**
 * The free slots that begin in `window` (milliseconds since 1970); none of a teacher who is banned, or not verified
 * where that is required. Throws not_found for who is no teacher; unavailable when identity must be asked and does not
 * answer.
 */
export async function slotsOf({ database, people }: Parts, teacherId: number, window: Range): Promise<Range[]> {
  const teacher = await people.teacher(teacherId);
  assertThat(teacher, teacherNotFound);
  const reader = database.manager;
  const isListed = teacher.status === 'active' && (teacher.verified || !(await areVerifiedOnly(reader)));
  return isListed ? (await openSlots(reader, teacherId, window)).slots : [];
}
