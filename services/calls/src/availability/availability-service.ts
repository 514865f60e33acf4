import type { Database, Reader } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import type { Parts } from '../parts.ts';
import { teacherNotFound } from '../errors.ts';
import type { Availability } from './availability.ts';
import { findTaken, readAvailability, saveAvailability } from './availability-store.ts';
import { freeTime, gridOf, startsWithin, type Range } from './slot.ts';
import { createSlotCache, freeText, listedSlots, type ListedSlots } from './slot-cache.ts';
import { canonicalZone } from './time-zone.ts';

const MINUTE_MS = 60_000;
/** The latest end of a slot: timestamps in answers have years of four digits. */
const LAST_MS = Date.parse('9999-12-31T00:00:00Z');

/**
 * A booking that is being moved: its own times count as free, and a teacher need not observe their own minimum notice.
 */
interface Move {
  id: number;
  by: 'student' | 'teacher';
}

/** Whether the range consists of consecutive slots. */
function isMadeOfSlots(range: Range, starts: number[], length: number): boolean {
  const known = new Set(starts);
  if ((range.to - range.from) % length !== 0) return false;
  for (let { from } = range; from < range.to; from += length) if (!known.has(from)) return false;
  return true;
}

/**
 * Whether a range is free for a lesson with the teacher; also the time zone of the teacher's hours, and the time of the
 * check. A new lesson consists of whole slots. A moved one begins with a slot and keeps its length, whatever the length
 * of slots is.
 */
export async function freeFor(reader: Reader, teacherId: number, range: Range, move?: Move) {
  const availability = await readAvailability(reader, teacherId);
  const { now, taken } = await findTaken(reader, teacherId, range, move?.id);
  const notice = move?.by === 'teacher' ? 0 : availability.min_notice_minutes * MINUTE_MS;
  const { time_zone } = availability;
  if (range.from < now + notice || range.to > LAST_MS) return { isFree: false, time_zone, now };
  const grid = gridOf(availability, range);
  const free = freeTime(grid, taken);
  const length = availability.slot_minutes * MINUTE_MS;
  const isFree = move
    ? grid.starts[0] === range.from && free.some(({ from, to }) => from <= range.from && range.to <= to)
    : isMadeOfSlots(range, startsWithin(grid.starts, length, free), length);
  return { isFree, time_zone, now };
}

const areVerifiedOnly = async (reader: Reader) =>
  (await readSettings(reader, ['require_verified_teacher'])).require_verified_teacher === 1;

export const changeAvailability = (database: Database, teacherId: number, given: Availability) =>
  database.transact(async (tx) => {
    const hours = { ...given, time_zone: canonicalZone(given.time_zone) ?? given.time_zone };
    await saveAvailability(tx, teacherId, hours);
    return hours;
  });

/** All slots in `window`, free and taken. */
async function slotsOfHours(reader: Reader, teacherId: number, window: Range): Promise<ListedSlots> {
  const availability = await readAvailability(reader, teacherId);
  const length = availability.slot_minutes * MINUTE_MS;
  const grid = gridOf(availability, { from: window.from, to: Math.min(window.to, LAST_MS) });
  return listedSlots(startsWithin(grid.starts, length, grid.open), length);
}

/** Finds the free slots of teachers. */
export function createOffers({ database, people }: Parts) {
  const cache = createSlotCache();
  return {
    /**
     * The free slots that begin in `window` (milliseconds since 1970) as JSON; empty for a teacher who is banned, or
     * not verified where that is required. Throws not_found when the user is not a teacher; unavailable when identity
     * is needed and does not answer.
     */
    async slotsOf(teacherId: number, window: Range): Promise<string> {
      const teacher = await people.teacher(teacherId);
      assertThat(teacher, teacherNotFound);
      const reader = database.manager;
      const isListed = teacher.status === 'active' && (teacher.verified || !(await areVerifiedOnly(reader)));
      if (!isListed) return '[]';
      const { now, taken, hours } = await findTaken(reader, teacherId, window);
      const earliest = now + (hours?.min_notice_minutes ?? 0) * MINUTE_MS;
      if (!hours || window.to <= earliest) return '[]';
      const key = `${teacherId} ${hours.version} ${window.from} ${window.to}`;
      const slots = cache.get(key) ?? (await slotsOfHours(reader, teacherId, window));
      cache.keep(key, slots);
      return freeText(slots, earliest, taken);
    },
  };
}
