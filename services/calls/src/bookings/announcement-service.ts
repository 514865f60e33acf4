import type { Reader, Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { LiveData, LiveEvent } from '@tutoring/shared/events/live';
import { booking } from '@tutoring/shared/events/live';
import { publish, publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { fieldsOf } from '@tutoring/shared/http/declare/fields';
import { findPeople } from '../copies/copy-store.ts';
import { adminBooking, otherSide, type Booking, type Side } from './booking.ts';

type BookingEvent = Extract<LiveEvent, `booking.${string}`>;
type Turn = EventData<'booking.announced'>['turn'];
type View = LiveData<'booking.requested'>;

/** With the names of both people, whom this service knows since they booked. */
export async function shownToAdmins(reader: Reader, bookings: Booking[]) {
  const ids = bookings.flatMap((stored) => [stored.student_id, stored.teacher_id]);
  const names = new Map((await findPeople(reader, [...new Set(ids)])).map(({ id, name }) => [id, name]));
  const nameOf = (id: number) => names.get(id) ?? '';
  return bookings.map((stored) => {
    const people = { student_name: nameOf(stored.student_id), teacher_name: nameOf(stored.teacher_id) };
    return fieldsOf(adminBooking, { ...stored, ...people });
  });
}

export const shown = async (reader: Reader, bookings: Booking[]): Promise<View[]> =>
  (await shownToAdmins(reader, bookings)).map((view) => fieldsOf(booking, view));

export const shownOne = async (reader: Reader, stored: Booking) => (await shown(reader, [stored]))[0] as View;

interface Told {
  /** Who did it: their devices stay silent. */
  by?: Side;
  /** Why it was canceled. */
  reason?: string | undefined;
  /** Until it begins, of a reminder. */
  minutes?: number;
}

/** Tells both people, and the devices of who did not do it; returns the booking as they see it. */
export async function announce(tx: Tx, stored: Booking, event: BookingEvent, told: Told = {}): Promise<View> {
  const { by, reason, minutes } = told;
  const data = await shownOne(tx, stored);
  const why = reason ? { reason } : {};
  const people = { student: stored.student_id, teacher: stored.teacher_id };
  await publishInOrder(tx, [{ to: people, event, data: { ...data, ...why } }]);
  const names = { student: data.student_name, teacher: data.teacher_name };
  const sides = (['student', 'teacher'] as const).filter((side) => side !== by);
  await publish(tx, 'booking.announced', {
    booking_id: stored.id,
    turn: event.replace('booking.', '') as Turn,
    to: sides.map((side) => ({ user_id: people[side], from: names[otherSide(side)] })),
    starts_at: stored.starts_at,
    time_zone: stored.time_zone,
    ...why,
    ...(minutes !== undefined && { minutes }),
  });
  return data;
}
