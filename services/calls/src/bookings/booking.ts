import { z } from 'zod';
import { booking } from '@tutoring/shared/contract/booking';
import { day, pickFields, id, integer, text } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { sentences } from '@tutoring/shared/kit/http/read/validation';

/*
 * The states of a booking: requested -> confirmed | declined | canceled, confirmed -> canceled | missed | done. A
 * request is moved at once. A confirmed booking that is moved keeps its time beside the proposed one until the other
 * side answers. Pure functions: the caller has locked the row and then read the clock.
 */

export type Side = 'student' | 'teacher';

/** A booking as administrators see it. */
export const adminBooking = booking
  .extend({
    time_zone: z
      .string()
      .meta({ description: "The teacher's time zone when the time was set.", example: 'Africa/Abidjan' }),
    cancel_reason: z.string().meta({ example: '' }),
    canceled_by: z
      .enum(['student', 'teacher'])
      .nullable()
      .meta({ description: 'The participant who canceled the lesson, or null.', example: null }),
  })
  .meta({ id: 'AdminBooking' });

/** A stored booking with the names of its participants. */
export interface Booking extends z.infer<typeof adminBooking> {
  /** The side that has to answer the request or the proposal. */
  asked: Side;
  /** Null when `proposed_starts_at` is. */
  proposed_ends_at: string | null;
  /** The last reminder that was sent or skipped, in minutes before the start. */
  reminded_minutes: number | null;
  version: number;
}

/** A locked booking with the seconds until it begins, by the clock as read after the lock. */
export interface LockedBooking extends Booking {
  seconds_left: number;
  /** Until the proposed time; null when there is none. */
  proposed_seconds_left: number | null;
}

/** A locked booking whose start has passed. */
export interface DueBooking extends Booking {
  seconds_since_start: number;
  seconds_since_end: number;
  /** Whether the two had a call at the start of the booking or soon after, or while the teacher was reserved for it. */
  hasCall: boolean;
}

/** A time, in any zone. */
export const instant = () =>
  z.iso.datetime({ offset: true, error: () => sentences.date }).meta({ example: '2026-11-30T09:00:00.000000Z' });

/** The time that an answer refers to; without it, the current one. */
export const answerFields = z.object({ starts_at: instant().optional() });

/** A student's request for a lesson. */
export const bookingRequest = z.object({
  teacher_id: id().meta({ example: 7 }),
  starts_at: instant(),
  minutes: integer({ min: 5, max: 1_440 }).meta({ example: 60 }),
  call_type: booking.shape.call_type,
  note: text(2_000).optional().meta({ example: 'Quadratic equations' }),
});
export type BookingRequest = z.output<typeof bookingRequest>;

/** The filter of the administrators' list. */
export const bookingFilter = z.object({
  ...pageFields,
  status: booking.shape.status.optional().meta({ example: 'confirmed' }),
  user_id: id().optional().meta({ example: 12 }),
  ...dayFields,
  starts_from: day().optional().meta({ example: '2026-11-23' }),
  starts_to: day().optional().meta({ example: '2026-11-29' }),
});
export type BookingFilter = z.output<typeof bookingFilter>;

/** A booking as its participants see it. */
export const presentBooking = (stored: Booking) => pickFields(booking, stored);

export const isOpen = ({ status }: Pick<Booking, 'status'>) => status === 'requested' || status === 'confirmed';

export const sideOf = (booking: Pick<Booking, 'student_id'>, userId: number): Side =>
  booking.student_id === userId ? 'student' : 'teacher';
export const otherSide = (side: Side): Side => (side === 'student' ? 'teacher' : 'student');

/** Whether a booking may be canceled or moved: it is open and begins in `hours` or later. */
export const mayChange = (booking: LockedBooking, hours: number) =>
  isOpen(booking) && booking.seconds_left >= hours * 3_600;

/** Until how many hours before its start a side may cancel or move a booking: 0 for a student's own request. */
export const hoursToChange = ({ status }: Pick<Booking, 'status'>, by: Side, hours: number) =>
  status === 'requested' && by === 'student' ? 0 : hours;

/** The time that an answer refers to: the proposed one, if any. */
export const proposedOrStartTime = ({
  starts_at,
  proposed_starts_at: proposed,
}: Pick<Booking, 'starts_at' | 'proposed_starts_at'>) => proposed ?? starts_at;

export const isSameTime = (one: string, other: string) => Date.parse(one) === Date.parse(other);

/** Whether the proposal has expired: the proposed time, or the lesson itself, has begun. */
export const isProposalOver = ({ seconds_left: left, proposed_seconds_left: proposed }: LockedBooking) =>
  left <= 0 || (proposed !== null && proposed <= 0);

/** Maximum of a student's unanswered requests to one teacher. */
const MAX_REQUESTS_OF_PAIR = 3;

/** Whether a student with `ofStudent` unanswered requests, `ofPair` of them to the teacher, may make another one. */
export const mayRequest = ({ ofStudent, ofPair }: { ofStudent: number; ofPair: number }, maxRequests: number) =>
  ofStudent < maxRequests && ofPair < MAX_REQUESTS_OF_PAIR;

/** The reminders, in minutes before the start, in order. */
const REMINDERS = [60, 10] as const;
/** A reminder is skipped when less than this share of its minutes is left. */
const MIN_SHARE_LEFT = 0.5;

/** The last reminder whose time has come, in minutes before the start, or null. It is not sent after a confirmation. */
export const reachedReminder = (secondsLeft: number) =>
  REMINDERS.findLast((minutes) => secondsLeft <= minutes * 60) ?? null;

/**
 * The reminder that is due, if any: the caller saves `minutes` in any case; `isSent` is false when it is too late to
 * send it.
 */
export function reminderDue({ reminded_minutes: last, seconds_left: left }: LockedBooking) {
  const minutes = reachedReminder(left);
  if (minutes === null || left <= 0 || (last !== null && last <= minutes)) return undefined;
  return { minutes, isSent: left >= minutes * 60 * MIN_SHARE_LEFT || minutes === REMINDERS.at(-1) };
}

/** The status that a booking takes without a request, if any. */
export function statusByTime(booking: DueBooking): Booking['status'] | undefined {
  if (booking.status === 'requested') return booking.seconds_since_start >= 0 ? 'declined' : undefined;
  if (booking.status !== 'confirmed') return undefined;
  if (booking.hasCall) return booking.seconds_since_end >= 0 ? 'done' : undefined;
  return booking.seconds_since_start >= NO_SHOW_SECONDS ? 'missed' : undefined;
}

/** A booking is missed when it has no call this long after its start. */
export const NO_SHOW_SECONDS = 15 * 60;
/** A confirmed booking reserves its teacher for its student, from this long before its start until its end. */
export const RESERVED_BEFORE_SECONDS = 2 * 60;
