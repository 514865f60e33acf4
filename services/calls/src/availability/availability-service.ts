import type { Reader } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import type { Parts } from '../parts.ts';
import { teacherNotFound } from '../errors.ts';
import type { Availability } from './availability.ts';
import { findTakenTimes, readAvailability, saveAvailability } from './availability-store.ts';
import { freeTime, gridOf, startsWithin, type Range } from './slot.ts';
import { freeSlotsJson, renderSlots, type RenderedSlots, type SlotCache } from './slot-cache.ts';
import { canonicalZone } from './time-zone.ts';

const MINUTE_MS = 60_000;
/** The latest end of a slot: timestamps in answers have years of four digits. */
const LATEST_END_MS = Date.parse('9999-12-31T00:00:00Z');

/**
 * A booking that is being moved: its own times count as free, and a teacher need not observe their own minimum notice.
 */
interface Move {
  id: number;
  by: 'student' | 'teacher';
}

/** Whether the range consists of consecutive slots. */
function consistsOfSlots(range: Range, starts: number[], length: number): boolean {
  const startSet = new Set(starts);
  if ((range.to - range.from) % length !== 0) return false;
  for (let { from } = range; from < range.to; from += length) if (!startSet.has(from)) return false;
  return true;
}

/**
 * Whether a range is free for a lesson with the teacher; also the time zone of the teacher's hours, and the time of the
 * check. A new lesson consists of whole slots. A moved one begins with a slot and keeps its length, whatever the length
 * of slots is.
 */
export async function freeFor(reader: Reader, teacherId: number, range: Range, move?: Move) {
  const availability = await readAvailability(reader, teacherId);
  const { now, taken } = await findTakenTimes(reader, teacherId, range, move?.id);
  const notice = move?.by === 'teacher' ? 0 : availability.min_notice_minutes * MINUTE_MS;
  const { time_zone } = availability;
  if (range.from < now + notice || range.to > LATEST_END_MS) return { isFree: false, time_zone, now };
  const grid = gridOf(availability, range);
  const free = freeTime(grid, taken);
  const length = availability.slot_minutes * MINUTE_MS;
  const isFree = move
    ? grid.starts[0] === range.from && free.some(({ from, to }) => from <= range.from && range.to <= to)
    : consistsOfSlots(range, startsWithin(grid.starts, length, free), length);
  return { isFree, time_zone, now };
}

const isVerificationRequired = async (reader: Reader) =>
  (await readSettings(reader, ['require_verified_teacher'])).require_verified_teacher === 1;

export const changeAvailability = ({ database }: Parts, teacherId: number, input: Availability) =>
  database.transact(async (tx) => {
    const hours = { ...input, time_zone: canonicalZone(input.time_zone) ?? input.time_zone };
    await saveAvailability(tx, teacherId, hours);
    return hours;
  });

/** All slots in `window`, free and taken. */
async function allSlots(reader: Reader, teacherId: number, window: Range): Promise<RenderedSlots> {
  const availability = await readAvailability(reader, teacherId);
  const length = availability.slot_minutes * MINUTE_MS;
  const grid = gridOf(availability, { from: window.from, to: Math.min(window.to, LATEST_END_MS) });
  return renderSlots(startsWithin(grid.starts, length, grid.open), length);
}

/**
 * The free slots that begin in `window` (milliseconds since 1970) as JSON; empty for a teacher who is banned, or
 * not verified where that is required. Throws not_found when the user is not a teacher; unavailable when identity
 * is needed and does not answer.
 */
export async function slotsOf({ people, database }: Parts, cache: SlotCache, teacherId: number, window: Range) {
  const teacher = await people.teacher(teacherId);
  assertThat(teacher, teacherNotFound);
  const reader = database.manager;
  const isBookable = teacher.status === 'active' && (teacher.verified || !(await isVerificationRequired(reader)));
  if (!isBookable) return '[]';
  const { now, taken, hours } = await findTakenTimes(reader, teacherId, window);
  const earliest = now + (hours?.min_notice_minutes ?? 0) * MINUTE_MS;
  if (!hours || window.to <= earliest) return '[]';
  const key = `${teacherId} ${hours.version} ${window.from} ${window.to}`;
  const slots = cache.get(key) ?? (await allSlots(reader, teacherId, window));
  cache.set(key, slots);
  return freeSlotsJson(slots, earliest, taken);
}
