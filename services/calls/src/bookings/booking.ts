import { z } from 'zod';
import { booking } from '@tutoring/shared/events/live';
import { day, fieldsOf, id, integer, text } from '@tutoring/shared/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/http/declare/page';
import { sentences } from '@tutoring/shared/http/read/validation';

/*
 * The life of a booking: requested -> confirmed | declined | canceled, confirmed -> canceled | missed | done; a
 * reschedule makes it requested again, of the other side. Pure functions: the caller has locked the row and read the
 * clock after that.
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
  /** Who has to answer. */
  asked: Side;
  /** The last reminder that was sent, or that came too late: minutes before the start. */
  reminded_minutes: number | null;
  version: number;
}

/** A locked booking with the seconds until it begins, by the clock after the lock. */
export interface LockedBooking extends Booking {
  seconds_left: number;
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
