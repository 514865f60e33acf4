import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Reader, Tx } from '@tutoring/shared/database/open';
import { violatedConstraint } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { fill } from '@tutoring/shared/language/localized';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { openSlots } from '../availability/availability-service.ts';
import type { Range } from '../availability/slot.ts';
import { lockCallers } from '../call/call-store.ts';
import { isBlocked, lockPeople } from '../copies/copy-store.ts';
import { reachable } from '../copies/person-service.ts';
import type { Parts } from '../parts.ts';
import { bookingNotFound, conflict, notAsked } from '../errors.ts';
import { texts } from '../texts.ts';
import { isOpen, mayChange, otherSide, remindedAt, shown, sideOf } from './booking.ts';
import type { Booking, LockedBooking, Side, Wish } from './booking.ts';
import * as store from './booking-store.ts';

const MINUTE_MS = 60_000;

type Turn = EventData<'booking.announced'>['turn'];

interface Told {
  /** Who did it: their devices stay silent. */
  by?: Side;
  /** Why it was canceled. */
  reason?: string | undefined;
  /** Until it begins, of a reminder. */
  minutes?: number;
}

/** Tells both people, and the devices of who did not do it; returns the booking as they see it. */
export async function announce(tx: Tx, stored: Booking, turn: Turn, told: Told = {}) {
  const { by, reason, minutes } = told;
  const data = shown(stored);
  const why = reason ? { reason } : {};
  const people = { student: stored.student_id, teacher: stored.teacher_id };
  const names = { student: data.student_name, teacher: data.teacher_name };
  const sides = (['student', 'teacher'] as const).filter((side) => side !== by);
  const announced = {
    booking_id: stored.id,
    turn,
    to: sides.map((side) => ({ user_id: people[side], from: names[otherSide(side)] })),
    starts_at: stored.starts_at,
    time_zone: stored.time_zone,
    ...why,
    ...(minutes !== undefined && { minutes }),
  };
  await publishInOrder(tx, [
    { to: people, event: `booking.${turn}`, data: { ...data, ...why } },
    { name: 'booking.announced', data: announced },
  ]);
  return data;
}

const instant = (time: number) => new Date(time).toISOString();

/** Whether the range is made of whole slots, each `length` milliseconds, one after the other. */
function isCovered(range: Range, slots: Range[], length: number): boolean {
  const starts = new Set(slots.map(({ from }) => from));
  if ((range.to - range.from) % length !== 0) return false;
  for (let { from } = range; from < range.to; from += length) if (!starts.has(from)) return false;
  return true;
}

/**
 * Two requests for the same time: the constraint of the table refuses the second. What else a student has booked is
 * told to nobody else.
 */
const orTaken =
  ({ platform }: UserCaller) =>
  (error: unknown): never => {
    const constraint = violatedConstraint(error) ?? '';
    if (constraint === 'booking_student_free' && platform === 'student') throw conflict(texts.booking.studentBusy);
    if (/^booking_(teacher|student)_free$/.test(constraint)) throw conflict(texts.booking.notFree);
    throw error;
  };

/** Throws conflict unless the range is free of the teacher's time. */
async function freeTime(reader: Reader, teacherId: number, range: Range, exceptId?: number) {
  const open = await openSlots(reader, teacherId, range, exceptId);
  assertThat(isCovered(range, open.slots, open.length), () => conflict(texts.booking.notFree));
  return open;
}

export function createBookings({ database, people }: Parts) {
  async function lock(tx: Tx, id: number, userId: number): Promise<LockedBooking> {
    const known = await store.findBooking(tx, id, userId);
    if (known) await lockCallers(tx, [known.student_id, known.teacher_id]);
    const booking = known && (await store.lockBooking(tx, id, userId));
    assertThat(booking, bookingNotFound);
    return booking;
  }

  /** Locks a booking that may still be canceled or moved. */
  async function lockChangeable(tx: Tx, id: number, userId: number): Promise<LockedBooking> {
    const { booking_cancel_hours: hours } = await readSettings(tx, ['booking_cancel_hours']);
    const booking = await lock(tx, id, userId);
    assertThat(mayChange(booking, 0), () => conflict(texts.booking.over));
    assertThat(mayChange(booking, hours), () => conflict(fill(texts.booking.tooLate, { hours })));
    return booking;
  }

  async function book(tx: Tx, studentId: number, wish: Wish) {
    const { teacher_id: teacherId } = wish;
    await lockCallers(tx, [studentId, teacherId]);
    const settings = await readSettings(tx, ['booking_auto_confirm', 'require_verified_teacher']);
    const people = new Map((await lockPeople(tx, [studentId, teacherId])).map((person) => [person.id, person]));
    reachable([people.get(studentId), people.get(teacherId)], {
      field: 'teacher_id',
      verifiedOnly: settings.require_verified_teacher === 1,
      banned: texts.booking.teacherUnavailable,
    });
    // A block stays secret: the time seems to be taken.
    assertThat(!(await isBlocked(tx, studentId, teacherId)), () => conflict(texts.booking.notFree));
    const from = Date.parse(wish.starts_at);
    const range = { from, to: from + wish.minutes * MINUTE_MS };
    const { time_zone, now } = await freeTime(tx, teacherId, range);
    const isAuto = settings.booking_auto_confirm === 1;
    const made = await store.insertBooking(tx, {
      student_id: studentId,
      teacher_id: teacherId,
      time_zone,
      call_type: wish.call_type,
      note: wish.note ?? '',
      status: isAuto ? 'confirmed' : 'requested',
      reminded_minutes: isAuto ? remindedAt((from - now) / 1_000) : null,
      starts_at: instant(range.from),
      ends_at: instant(range.to),
    });
    return announce(tx, made, isAuto ? 'confirmed' : 'requested', { by: 'student' });
  }

  return {
    /**
     * Books whole free slots. Throws invalid for who is no teacher; conflict when the time is not free, one of the two
     * has another booking, or the teacher is banned, not verified where that is required, or has blocked the student;
     * forbidden for a banned student.
     */
    async book(caller: UserCaller, wish: Wish, key: string | undefined) {
      await people.find([caller.id, wish.teacher_id]);
      const request = { caller, scope: 'POST /api/bookings', key, body: wish };
      return database.transact((tx) => once(tx, request, () => book(tx, caller.id, wish))).catch(orTaken(caller));
    },

    /** Throws not_found; forbidden for who was not asked; conflict when it is over. A repeat changes nothing. */
    answer: (caller: UserCaller, id: number, answer: 'confirm' | 'decline') =>
      database.transact(async (tx) => {
        const booking = await lock(tx, id, caller.id);
        const by = sideOf(booking, caller.id);
        const isYes = answer === 'confirm';
        assertThat(isOpen(booking) && booking.seconds_left > 0, () => conflict(texts.booking.over));
        assertThat(by === booking.asked, notAsked);
        assertThat(booking.status === 'requested' || isYes, () => conflict(texts.booking.settled));
        if (booking.status === 'confirmed') return shown(booking);
        const changed = await store.changeBooking(tx, booking, {
          status: isYes ? 'confirmed' : 'declined',
          reminded_minutes: remindedAt(booking.seconds_left),
        });
        return announce(tx, changed, isYes ? 'confirmed' : 'declined', { by });
      }),

    /** Throws not_found; conflict when it is over or begins too soon. */
    cancel: (caller: UserCaller, id: number, reason: string | undefined) =>
      database.transact(async (tx) => {
        const booking = await lockChangeable(tx, id, caller.id);
        const by = sideOf(booking, caller.id);
        const change = { status: 'canceled', canceled_by: by, cancel_reason: reason ?? '' } as const;
        return announce(tx, await store.changeBooking(tx, booking, change), 'canceled', { by, reason });
      }),

    /** Moves it and asks the other side again. Throws as `cancel`, and conflict when the time is not free. */
    reschedule: (caller: UserCaller, id: number, startsAt: string) =>
      database
        .transact(async (tx) => {
          const booking = await lockChangeable(tx, id, caller.id);
          const from = Date.parse(startsAt);
          const range = { from, to: from + Date.parse(booking.ends_at) - Date.parse(booking.starts_at) };
          const { time_zone } = await freeTime(tx, booking.teacher_id, range, booking.id);
          const by = sideOf(booking, caller.id);
          const moved = await store.changeBooking(tx, booking, {
            status: 'requested',
            asked: otherSide(by),
            time_zone,
            starts_at: instant(range.from),
            ends_at: instant(range.to),
          });
          return announce(tx, moved, 'rescheduled', { by });
        })
        .catch(orTaken(caller)),
  };
}

async function callOff(tx: Tx, bookings: Booking[]): Promise<void> {
  for (const booking of bookings)
    await announce(tx, await store.changeBooking(tx, booking, { status: 'canceled' }), 'canceled');
}

/** Calls off what is to come of people who are banned or deleted; the deleted leave no words behind. */
export async function callOffOf(tx: Tx, people: { id: number; deleted: boolean }[]): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const deleted = people.filter((person) => person.deleted).map(({ id }) => id);
  await callOff(tx, await store.lockOpen(tx, ids, false));
  if (deleted.length > 0) await store.forgetWords(tx, deleted);
}

/** Calls off what is to come between two people, when one has blocked the other. */
export const callOffBetween = async (tx: Tx, pair: [number, number]) =>
  callOff(tx, await store.lockOpen(tx, pair, true));
