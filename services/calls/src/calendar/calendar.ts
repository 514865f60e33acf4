import { createHmac, timingSafeEqual } from 'node:crypto';
import ical, { ICalEventStatus } from 'ical-generator';
import type { Booking } from '../bookings/booking.ts';

/** How often a person has renewed their link. */
export interface Feed {
  user_id: number;
  generation: number;
}

const TOKEN = /^(\d{1,15})\.([\w-]{43})$/;

/** Derived, so that the database alone gives nobody a link. */
const macOf = (secret: string, { user_id, generation }: Feed) =>
  createHmac('sha256', secret).update(`calendar:${user_id}:${generation}`).digest();

/** The secret part of a person's link. */
export const tokenOf = (secret: string, feed: Feed) => `${feed.user_id}.${macOf(secret, feed).toString('base64url')}`;

/** Whose link it seems to be; undefined for what has not its form. */
export const ownerOf = (token: string): number | undefined => {
  const [, id] = TOKEN.exec(token) ?? [];
  return id === undefined ? undefined : Number(id);
};

export const isToken = (secret: string, feed: Feed, token: string): boolean =>
  timingSafeEqual(Buffer.from(TOKEN.exec(token)?.[2] ?? '', 'base64url'), macOf(secret, feed));

/** An iCalendar file of bookings; times are instants in UTC, which every calendar shows in its own zone. */
export function calendarText(
  bookings: Booking[],
  { name, host, summaryOf }: { name: string; host: string; summaryOf: (booking: Booking) => string },
): string {
  const calendar = ical({ name, prodId: { company: host, product: 'lessons' }, ttl: 60 * 60 });
  for (const booking of bookings)
    calendar.createEvent({
      id: `booking-${booking.id}@${host}`,
      sequence: booking.version,
      status: ICalEventStatus.CONFIRMED,
      start: new Date(booking.starts_at),
      end: new Date(booking.ends_at),
      stamp: new Date(booking.updated_at),
      summary: summaryOf(booking),
      description: booking.note || null,
    });
  // Each line ends with a break (RFC 5545), the last one too.
  return `${calendar.toString()}\r\n`;
}
