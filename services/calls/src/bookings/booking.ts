import { z } from 'zod';
import { booking } from '@tutoring/shared/events/booking';
import { day, fieldsOf, id, integer, text } from '@tutoring/shared/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/http/declare/page';
import { sentences } from '@tutoring/shared/http/read/validation';

/*
 * The life of a booking: requested -> confirmed | declined | canceled, confirmed -> canceled | missed | done. A request is
 * moved at once. A confirmed booking that is moved keeps its time beside the proposed one until the other side answers.
 * Pure functions: the caller has locked the row and read the clock after that.
 */

export type Side = 'student' | 'teacher';

/** As administrators see it. */
export const adminBooking = booking
  .extend({
    time_zone: z.string().meta({ description: "The teacher's, when the time was said.", example: 'Africa/Abidjan' }),
    cancel_reason: z.string().meta({ example: '' }),
    canceled_by: z
      .enum(['student', 'teacher'])
      .nullable()
      .meta({ description: 'Null unless one of the two did.', example: null }),
  })
  .meta({ id: 'AdminBooking' });

/** As it is stored, with the names of its people. */
export interface Booking extends z.infer<typeof adminBooking> {
  /** Who has to answer the request, or the proposed time. */
  asked: Side;
  /** Null when `proposed_starts_at` is. */
  proposed_ends_at: string | null;
  /** The last reminder that was sent, or that came too late: minutes before the start. */
  reminded_minutes: number | null;
  version: number;
}

/** A locked booking with the seconds until it begins, by the clock after the lock. */
export interface LockedBooking extends Booking {
  seconds_left: number;
  /** Until the proposed time; null when there is none. */
  proposed_seconds_left: number | null;
}

/** A locked booking whose start has passed. */
export interface DueBooking extends Booking {
  seconds_since_start: number;
  seconds_since_end: number;
  /** A call of the two went on at its beginning or soon after, or began while the teacher was kept free for it. */
  hasCall: boolean;
}

/** A moment, in any zone. */
export const instant = () =>
  z.iso.datetime({ offset: true, error: () => sentences.date }).meta({ example: '2026-11-30T09:00:00.000000Z' });

/** The time that an answer agrees to; without it, whatever the time is by now. */
export const answerFields = z.object({ starts_at: instant().optional() });

/** What a student asks for. */
export const wish = z.object({
  teacher_id: id().meta({ example: 7 }),
  starts_at: instant(),
  minutes: integer({ min: 5, max: 1_440 }).meta({ example: 60 }),
  call_type: booking.shape.call_type,
  note: text(2_000).optional().meta({ example: 'Quadratic equations' }),
});
export type Wish = z.output<typeof wish>;

/** Which lessons an administrator lists. */
export const bookingFilter = z.object({
  ...pageFields,
  status: booking.shape.status.optional().meta({ example: 'confirmed' }),
  user_id: id().optional().meta({ example: 12 }),
  ...dayFields,
  starts_from: day().optional().meta({ example: '2026-11-23' }),
  starts_to: day().optional().meta({ example: '2026-11-29' }),
});
export type BookingFilter = z.output<typeof bookingFilter>;

/** As its two people see it. */
export const shown = (stored: Booking) => fieldsOf(booking, stored);

export const isOpen = ({ status }: Pick<Booking, 'status'>) => status === 'requested' || status === 'confirmed';

export const sideOf = (booking: Pick<Booking, 'student_id'>, userId: number): Side =>
  booking.student_id === userId ? 'student' : 'teacher';
export const otherSide = (side: Side): Side => (side === 'student' ? 'teacher' : 'student');

/** Whether it may still be canceled or moved, `hours` before it begins. */
export const mayChange = (booking: LockedBooking, hours: number) =>
  isOpen(booking) && booking.seconds_left >= hours * 3_600;

/** Until how many hours before its start a side may cancel or move it: a student's own request until the start itself. */
export const hoursToChange = ({ status }: Pick<Booking, 'status'>, by: Side, hours: number) =>
  status === 'requested' && by === 'student' ? 0 : hours;

/** The time that the other side is asked to agree to, or has agreed to. */
export const askedTime = ({
  starts_at,
  proposed_starts_at: proposed,
}: Pick<Booking, 'starts_at' | 'proposed_starts_at'>) => proposed ?? starts_at;

export const isSameTime = (one: string, other: string) => Date.parse(one) === Date.parse(other);

/** Whether nobody can agree to the proposed time any more: it, or the lesson itself, has begun. */
export const isProposalOver = ({ seconds_left: left, proposed_seconds_left: proposed }: LockedBooking) =>
  left <= 0 || (proposed !== null && proposed <= 0);

/** How many requests of a student to one teacher may wait for an answer. */
export const MOST_REQUESTS_OF_PAIR = 3;

/** Whether a student may ask for one more lesson: `ofStudent` requests wait for an answer, `ofPair` of them with the teacher. */
export const mayRequest = ({ ofStudent, ofPair }: { ofStudent: number; ofPair: number }, most: number) =>
  ofStudent < most && ofPair < MOST_REQUESTS_OF_PAIR;

/** Minutes before the start at which people are reminded, the first one first. */
const REMINDERS = [60, 10] as const;
/** A reminder that is later than this share of its time makes no sense any more. */
const LATEST_SHARE = 0.5;

/** What is already too late to be a reminder when the booking is confirmed: they know it from that. Null for nothing. */
export const remindedAt = (secondsLeft: number) => REMINDERS.findLast((minutes) => secondsLeft <= minutes * 60) ?? null;

/**
 * The reminder that is due: `minutes` is noted in any case, `isSent` says whether it still makes sense. Undefined when
 * none is due.
 */
export function reminderDue({ reminded_minutes: last, seconds_left: left }: LockedBooking) {
  const minutes = remindedAt(left);
  if (minutes === null || left <= 0 || (last !== null && last <= minutes)) return undefined;
  return { minutes, isSent: left >= minutes * 60 * LATEST_SHARE || minutes === REMINDERS.at(-1) };
}

/** What time alone has made of a booking. */
export function fateOf(booking: DueBooking): Booking['status'] | undefined {
  if (booking.status === 'requested') return booking.seconds_since_start >= 0 ? 'declined' : undefined;
  if (booking.status !== 'confirmed') return undefined;
  if (booking.hasCall) return booking.seconds_since_end >= 0 ? 'done' : undefined;
  return booking.seconds_since_start >= NO_SHOW_SECONDS ? 'missed' : undefined;
}

/** A booking is missed when no call has begun so long after its start. */
export const NO_SHOW_SECONDS = 15 * 60;
/** So long before its start until its end, a confirmed booking keeps its teacher free for its student. */
export const KEPT_FREE_SECONDS = 2 * 60;
