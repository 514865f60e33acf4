import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { violatedConstraint } from '@tutoring/shared/kit/database/refusals';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { EventData } from '@tutoring/shared/contract/events';
import { publish } from '@tutoring/shared/contract/publish';
import type { Once } from '@tutoring/shared/kit/http/declare/route';
import { fill } from '@tutoring/shared/kit/language/localized';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { freeFor } from '../availability/availability-service.ts';
import { lockUsers } from '../call/call-store.ts';
import { isBlocked, lockPeople } from '../copies/copy-store.ts';
import { assertReachable } from '../copies/person-service.ts';
import type { Parts } from '../parts.ts';
import { bookingNotFound, conflict, notAsked } from '../errors.ts';
import { texts } from '../texts.ts';
import * as store from './booking-store.ts';
import * as rules from './booking.ts';
import type { Booking, LockedBooking, Side, BookingRequest } from './booking.ts';

const MINUTE_MS = 60_000;
const SETTINGS = ['booking_auto_confirm', 'max_open_requests', 'require_verified_teacher'] as const;

/** What is announced about a booking. */
type Occasion = EventData<'booking.announced'>['turn'];

interface AnnouncementDetails {
  /** The side that made the change: it gets no push notification. */
  by?: Side;
  /** The reason for a cancellation. */
  reason?: string | undefined;
  /** Of a reminder: minutes until the lesson begins. */
  minutes?: number;
  /** Whether the booking is new. */
  isNew?: boolean;
  /** The declined or withdrawn time of a confirmed lesson, which keeps its own time. */
  proposed?: string;
}

/**
 * Publishes a change to both participants, with push notifications to the others than `by`. Returns the public booking.
 */
export async function announce(tx: Tx, stored: Booking, occasion: Occasion, details: AnnouncementDetails = {}) {
  const { by, reason, minutes, proposed, isNew = false } = details;
  const data = rules.presentBooking(stored);
  const why = reason ? { reason } : {};
  const people = { student: stored.student_id, teacher: stored.teacher_id };
  const names = { student: data.student_name, teacher: data.teacher_name };
  const sides = (['student', 'teacher'] as const).filter((side) => side !== by);
  const announced = {
    booking_id: stored.id,
    turn: occasion,
    ...(by && { by_user_id: people[by] }),
    ...(isNew && { is_new: true }),
    to: sides.map((side) => ({ user_id: people[side], from: names[rules.otherSide(side)] })),
    starts_at: proposed ?? (occasion === 'rescheduled' ? rules.proposedOrStartTime(stored) : stored.starts_at),
    ...(occasion === 'declined' && proposed !== undefined && { stays_at: stored.starts_at }),
    time_zone: stored.time_zone,
    ...why,
    ...(minutes !== undefined && { minutes }),
  };
  publish(tx, [
    { to: people, event: `booking.${occasion}`, data: { ...data, ...why } },
    { name: 'booking.announced', data: announced },
  ]);
  return data;
}

const isoTime = (time: number) => new Date(time).toISOString();

/** Removes the proposed time of a confirmed booking: it was declined or withdrawn (`by` a side), or it has expired. */
export async function dropProposal(tx: Tx, booking: LockedBooking, by?: Side) {
  const updated = await store.changeBooking(tx, booking, { proposed_starts_at: null, proposed_ends_at: null });
  return announce(tx, updated, 'declined', { ...(by && { by }), proposed: rules.proposedOrStartTime(booking) });
}

/** Moves a confirmed booking to the proposed time. Throws conflict when that time has passed. */
async function acceptProposal(tx: Tx, booking: LockedBooking, by: Side) {
  const { proposed_starts_at: starts_at, proposed_ends_at: ends_at, proposed_seconds_left: left } = booking;
  assertThat(starts_at !== null && ends_at !== null && left !== null, () => conflict(texts.booking.over));
  assertThat(!rules.isProposalOver(booking), () => conflict(texts.booking.passed));
  const moved = await store.changeBooking(tx, booking, {
    starts_at,
    ends_at,
    proposed_starts_at: null,
    proposed_ends_at: null,
    reminded_minutes: rules.reachedReminder(left),
  });
  return announce(tx, moved, 'confirmed', { by });
}

/** Confirms or declines a request. */
async function answerRequest(tx: Tx, booking: LockedBooking, by: Side, answer: 'confirmed' | 'declined') {
  const reminded_minutes = rules.reachedReminder(booking.seconds_left);
  return announce(tx, await store.changeBooking(tx, booking, { status: answer, reminded_minutes }), answer, { by });
}

/**
 * Turns a violated constraint of the table into a conflict: a concurrent request has taken the time. Only the student
 * learns of another booking of their own.
 */
const conflictIfTaken =
  ({ platform }: UserCaller) =>
  (error: unknown): never => {
    const constraint = violatedConstraint(error) ?? '';
    if (constraint === 'booking_student_free' && platform === 'student') throw conflict(texts.booking.studentBusy);
    if (/^booking_(teacher|student)_free$/.test(constraint)) throw conflict(texts.booking.notFree);
    throw error;
  };

async function lock(tx: Tx, id: number, userId: number): Promise<LockedBooking> {
  const found = await store.findBooking(tx, id, userId);
  if (found) await lockUsers(tx, [found.student_id, found.teacher_id]);
  const booking = found && (await store.lockBooking(tx, id, userId));
  assertThat(booking, bookingNotFound);
  return booking;
}

/** Locks a booking that this side may still cancel or move. */
async function lockChangeable(tx: Tx, id: number, userId: number): Promise<LockedBooking> {
  const { booking_cancel_hours: setting } = await readSettings(tx, ['booking_cancel_hours']);
  const booking = await lock(tx, id, userId);
  const hours = rules.hoursToChange(booking, rules.sideOf(booking, userId), setting);
  assertThat(rules.mayChange(booking, 0), () => conflict(texts.booking.over));
  assertThat(rules.mayChange(booking, hours), () => conflict(fill(texts.booking.tooLate, { hours })));
  return booking;
}

/** Moves a request, or proposes a new time for a confirmed booking. Throws conflict when the time is not free. */
async function moveTo(tx: Tx, booking: LockedBooking, from: number, by: Side) {
  const to = from + Date.parse(booking.ends_at) - Date.parse(booking.starts_at);
  const { isFree, time_zone } = await freeFor(tx, booking.teacher_id, { from, to }, { id: booking.id, by });
  assertThat(isFree, () => conflict(texts.booking.notFree));
  const [starts_at, ends_at] = [isoTime(from), isoTime(to)];
  const time =
    booking.status === 'confirmed'
      ? { proposed_starts_at: starts_at, proposed_ends_at: ends_at }
      : { starts_at, ends_at };
  const moved = await store.changeBooking(tx, booking, { ...time, time_zone, asked: rules.otherSide(by) });
  return announce(tx, moved, 'rescheduled', { by });
}

async function bookSlots(tx: Tx, studentId: number, input: BookingRequest) {
  const { teacher_id: teacherId } = input;
  await lockUsers(tx, [studentId, teacherId]);
  const settings = await readSettings(tx, SETTINGS);
  const people = new Map((await lockPeople(tx, [studentId, teacherId])).map((person) => [person.id, person]));
  assertReachable([people.get(studentId), people.get(teacherId)], {
    field: 'teacher_id',
    verifiedOnly: settings.require_verified_teacher === 1,
    banned: texts.booking.teacherUnavailable,
  });
  // To keep a block secret, the time appears to be taken.
  assertThat(!(await isBlocked(tx, studentId, teacherId)), () => conflict(texts.booking.notFree));
  const from = Date.parse(input.starts_at);
  const range = { from, to: from + input.minutes * MINUTE_MS };
  const isAutoConfirmed = settings.booking_auto_confirm === 1;
  if (!isAutoConfirmed) {
    const open = await store.countRequests(tx, studentId, teacherId);
    assertThat(rules.mayRequest(open, settings.max_open_requests), () => conflict(texts.booking.tooMany));
  }
  const { isFree, time_zone, now } = await freeFor(tx, teacherId, range);
  assertThat(isFree, () => conflict(texts.booking.notFree));
  const made = await store.insertBooking(tx, {
    student_id: studentId,
    teacher_id: teacherId,
    time_zone,
    call_type: input.call_type,
    note: input.note ?? '',
    status: isAutoConfirmed ? 'confirmed' : 'requested',
    reminded_minutes: isAutoConfirmed ? rules.reachedReminder((from - now) / 1_000) : null,
    starts_at: isoTime(range.from),
    ends_at: isoTime(range.to),
  });
  return announce(tx, made, isAutoConfirmed ? 'confirmed' : 'requested', { by: 'student', isNew: true });
}

/**
 * Books consecutive free slots. Throws invalid when the user is not a teacher; conflict when the time is not free,
 * one of the two has another booking, the teacher is banned or not verified where that is required, or one has
 * blocked the other; forbidden for a banned student.
 */
export async function book({ people, database }: Parts, caller: UserCaller, input: BookingRequest, once: Once) {
  await people.find([caller.id, input.teacher_id]);
  return once(database, (tx) => bookSlots(tx, caller.id, input)).catch(conflictIfTaken(caller));
}

/**
 * Answers a request or a proposed time; `startsAt`: the time that the answer refers to. Throws not_found; forbidden
 * for the side that must not answer; conflict when the booking is over or its time has changed. Idempotent.
 */
export const answer = (
  { database }: Parts,
  caller: UserCaller,
  id: number,
  answer: 'confirm' | 'decline',
  startsAt: string | undefined,
) =>
  database.transact(async (tx) => {
    const booking = await lock(tx, id, caller.id);
    const by = rules.sideOf(booking, caller.id);
    const isConfirmed = answer === 'confirm';
    assertThat(rules.isOpen(booking) && booking.seconds_left > 0, () => conflict(texts.booking.over));
    assertThat(by === booking.asked, notAsked);
    const isAsked = startsAt === undefined || rules.isSameTime(startsAt, rules.proposedOrStartTime(booking));
    assertThat(isAsked, () => conflict(texts.booking.moved));
    if (booking.status === 'requested') return answerRequest(tx, booking, by, isConfirmed ? 'confirmed' : 'declined');
    const isProposed = booking.proposed_starts_at !== null;
    assertThat(isProposed || isConfirmed, () => conflict(texts.booking.settled));
    if (!isProposed) return rules.presentBooking(booking);
    return isConfirmed ? acceptProposal(tx, booking, by) : dropProposal(tx, booking, by);
  });

/** Throws not_found; conflict when the booking is over or begins too soon. */
export const cancel = ({ database }: Parts, caller: UserCaller, id: number, reason: string | undefined) =>
  database.transact(async (tx) => {
    const booking = await lockChangeable(tx, id, caller.id);
    const by = rules.sideOf(booking, caller.id);
    const change = { status: 'canceled', canceled_by: by, cancel_reason: reason ?? '' } as const;
    return announce(tx, await store.changeBooking(tx, booking, change), 'canceled', { by, reason });
  });

/**
 * Moves a request, or proposes another time for a confirmed booking. The current time only withdraws a proposal; a
 * time that the other side has proposed is accepted. Throws as `cancel`, and conflict when the time is not free.
 */
export const reschedule = ({ database }: Parts, caller: UserCaller, id: number, startsAt: string) =>
  database
    .transact(async (tx) => {
      const booking = await lockChangeable(tx, id, caller.id);
      const by = rules.sideOf(booking, caller.id);
      const isProposed = booking.proposed_starts_at !== null;
      if (rules.isSameTime(startsAt, booking.starts_at))
        return isProposed ? dropProposal(tx, booking, by) : rules.presentBooking(booking);
      if (isProposed && rules.isSameTime(startsAt, rules.proposedOrStartTime(booking)))
        return by === booking.asked ? acceptProposal(tx, booking, by) : rules.presentBooking(booking);
      return moveTo(tx, booking, Date.parse(startsAt), by);
    })
    .catch(conflictIfTaken(caller));

async function cancelAll(tx: Tx, bookings: Booking[]): Promise<void> {
  for (const booking of bookings)
    await announce(tx, await store.changeBooking(tx, booking, { status: 'canceled' }), 'canceled');
}

/** Cancels the upcoming bookings of banned or deleted users, and deletes the personal data of deleted ones. */
export async function cancelBookingsOf(tx: Tx, people: { id: number; deleted: boolean }[]): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const deleted = people.filter((person) => person.deleted).map(({ id }) => id);
  await cancelAll(tx, await store.lockUpcoming(tx, ids, false));
  if (deleted.length > 0) await store.deletePersonalData(tx, deleted);
}

/** Cancels the upcoming bookings between two users after one has blocked the other. */
export const cancelBookingsBetween = async (tx: Tx, pair: [number, number]) =>
  cancelAll(tx, await store.lockUpcoming(tx, pair, true));
