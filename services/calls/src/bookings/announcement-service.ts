import type { Reader, Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { LiveData, LiveEvent } from '@tutoring/shared/events/live';
import { publish, publishInOrder } from '@tutoring/shared/events/publish/outbox';
import { findPeople } from '../copies/copy-store.ts';
import { otherSide, presentBooking, type Booking, type Side } from './booking.ts';

type BookingEvent = Extract<LiveEvent, `booking.${string}`>;
type Turn = EventData<'booking.announced'>['turn'];
type View = LiveData<'booking.requested'>;

/** With the names of both people, whom this service knows since they booked. */
export async function shown(reader: Reader, bookings: Booking[]): Promise<View[]> {
  const ids = bookings.flatMap((booking) => [booking.student_id, booking.teacher_id]);
  const known = new Map((await findPeople(reader, [...new Set(ids)])).map((person) => [person.id, person]));
  return bookings.map((booking) => presentBooking(booking, (id) => known.get(id) ?? { name: '' }));
}

/** As administrators see them. */
export async function shownToAdmins(reader: Reader, bookings: Booking[]) {
  const views = await shown(reader, bookings);
  return bookings.map(({ time_zone, cancel_reason, canceled_by }, place) => ({
    ...(views[place] as View),
    time_zone,
    cancel_reason,
    canceled_by,
  }));
}

export const shownOne = async (reader: Reader, booking: Booking) => (await shown(reader, [booking]))[0] as View;

export interface Told {
  /** Who did it: their devices stay silent. */
  by?: Side;
  /** Why it was canceled. */
  reason?: string | undefined;
  /** Until it begins, of a reminder. */
  minutes?: number;
}

/** Tells both people, and the devices of who did not do it; returns the booking as they see it. */
export async function announce(tx: Tx, booking: Booking, event: BookingEvent, told: Told = {}): Promise<View> {
  const { by, reason, minutes } = told;
  const data = await shownOne(tx, booking);
  const why = reason ? { reason } : {};
  const people = { student: booking.student_id, teacher: booking.teacher_id };
  await publishInOrder(tx, [{ to: people, event, data: { ...data, ...why } }]);
  const names = { student: data.student_name, teacher: data.teacher_name };
  const sides = (['student', 'teacher'] as const).filter((side) => side !== by);
  await publish(tx, 'booking.announced', {
    booking_id: booking.id,
    turn: event.replace('booking.', '') as Turn,
    to: sides.map((side) => ({ user_id: people[side], from: names[otherSide(side)] })),
    starts_at: booking.starts_at,
    time_zone: booking.time_zone,
    ...why,
    ...(minutes !== undefined && { minutes }),
  });
  return data;
}
