import type { Database, Tx } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { fateOf, reminderDue } from './booking.ts';
import { announce, keepTime } from './booking-service.ts';
import { changeBooking, lockDue, lockLapsed, lockUnreminded } from './booking-store.ts';

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

async function lapse(tx: Tx): Promise<number> {
  const bookings = await lockLapsed(tx, BATCH);
  for (const booking of bookings) await keepTime(tx, booking);
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

/** The jobs that change bookings at certain times. */
export const bookingJobs = (database: Database): Job[] => [
  {
    name: 'reminders',
    purpose: 'sends reminders of lessons that begin soon',
    everyMs: 5_000,
    run: async () => moreIf((await database.transact(remind)) === BATCH),
  },
  {
    name: 'bookings',
    purpose: 'ends lessons that were missed, done or never confirmed, and unanswered proposals of another time',
    everyMs: 10_000,
    run: async () => {
      const lapsed = await database.transact(lapse);
      const ended = await database.transact(end);
      return moreIf(lapsed === BATCH || ended === BATCH);
    },
  },
];
