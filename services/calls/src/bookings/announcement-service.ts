import type { Reader, Tx } from '@tutoring/shared/database/open';
import type { LiveData, LiveEvent } from '@tutoring/shared/events/live';
import { publishLive } from '@tutoring/shared/events/publish/outbox';
import { findPeople } from '../copies/copy-store.ts';
import { presentBooking, type Booking } from './booking.ts';

export type BookingEvent = Extract<LiveEvent, `booking.${string}`>;
type View = LiveData<'booking.requested'>;

/** With the names of both people, whom this service knows since they booked. */
export async function shown(reader: Reader, bookings: Booking[]): Promise<View[]> {
  const ids = bookings.flatMap((booking) => [booking.student_id, booking.teacher_id]);
  const known = new Map((await findPeople(reader, [...new Set(ids)])).map((person) => [person.id, person]));
  return bookings.map((booking) => presentBooking(booking, (id) => known.get(id) ?? { name: '' }));
}

export const shownOne = async (reader: Reader, booking: Booking) => (await shown(reader, [booking]))[0] as View;

/** Tells both people; returns what they hear. */
export async function announce(tx: Tx, booking: Booking, event: BookingEvent): Promise<View> {
  const data = await shownOne(tx, booking);
  await publishLive(tx, [{ to: { student: booking.student_id, teacher: booking.teacher_id }, event, data }]);
  return data;
}
