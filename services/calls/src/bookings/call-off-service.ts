import type { Tx } from '@tutoring/shared/database/open';
import { announce } from './announcement-service.ts';
import { changeBooking, forgetWords, lockOpen } from './booking-store.ts';
import type { Booking } from './booking.ts';

async function callOff(tx: Tx, bookings: Booking[]): Promise<void> {
  for (const booking of bookings)
    await announce(tx, await changeBooking(tx, booking, { status: 'canceled' }), 'booking.canceled');
}

/** Calls off what is to come of people who are banned or deleted; the deleted leave no words behind. */
export async function callOffOf(tx: Tx, people: { id: number; deleted: boolean }[]): Promise<void> {
  if (people.length === 0) return;
  const ids = people.map(({ id }) => id);
  const deleted = people.filter((person) => person.deleted).map(({ id }) => id);
  await callOff(tx, await lockOpen(tx, ids, false));
  if (deleted.length > 0) await forgetWords(tx, deleted);
}

/** Calls off what is to come between two people, when one has blocked the other. */
export const callOffBetween = async (tx: Tx, pair: [number, number]) => callOff(tx, await lockOpen(tx, pair, true));
