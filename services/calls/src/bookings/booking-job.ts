import type { Database, Tx } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { fateOf, reminderDue } from './booking.ts';
import { announce } from './booking-service.ts';
import { changeBooking, lockDue, lockUnreminded } from './booking-store.ts';

const BATCH = 100;

async function remind(tx: Tx): Promise<number> {
  const bookings = await lockUnreminded(tx, BATCH);
  for (const booking of bookings) {
    const reminder = reminderDue(booking);
    if (!reminder) continue;
    const noted = await changeBooking(tx, booking, { reminded_minutes: reminder.minutes });
    if (reminder.isSent) await announce(tx, noted, 'reminder', { minutes: Math.ceil(booking.seconds_left / 60) });
  }
  return bookings.length;
}

async function end(tx: Tx): Promise<number> {
  const bookings = await lockDue(tx, BATCH);
  for (const booking of bookings) {
    const status = fateOf(booking);
    if (!status) continue;
    const ended = await changeBooking(tx, booking, { status });
    if (status === 'declined') await announce(tx, ended, 'declined');
  }
  return bookings.length;
}

/** What time alone does to bookings. */
export const bookingJobs = (database: Database): Job[] => [
  {
    name: 'reminders',
    purpose: 'reminds people of lessons that begin soon',
    everyMs: 5_000,
    run: async () => moreIf((await database.transact(remind)) === BATCH),
  },
  {
    name: 'bookings',
    purpose: 'ends lessons that were missed, are done, or were never agreed to',
    everyMs: 10_000,
    run: async () => moreIf((await database.transact(end)) === BATCH),
  },
];
