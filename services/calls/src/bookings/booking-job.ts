import type { Database, Tx } from '@tutoring/shared/kit/database/open';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { statusByTime, reminderDue } from './booking.ts';
import { announce, dropProposal } from './booking-service.ts';
import { changeBooking, lockDueBookings, lockExpiredProposals, lockRemindersDue } from './booking-store.ts';

const BATCH = 100;

async function sendReminders(tx: Tx): Promise<number> {
  const bookings = await lockRemindersDue(tx, BATCH);
  for (const booking of bookings) {
    const reminder = reminderDue(booking);
    if (!reminder) continue;
    const updated = await changeBooking(tx, booking, { reminded_minutes: reminder.minutes });
    if (reminder.isSent) await announce(tx, updated, 'reminder', { minutes: Math.ceil(booking.seconds_left / 60) });
  }
  return bookings.length;
}

async function dropExpiredProposals(tx: Tx): Promise<number> {
  const bookings = await lockExpiredProposals(tx, BATCH);
  for (const booking of bookings) await dropProposal(tx, booking);
  return bookings.length;
}

async function endDueBookings(tx: Tx): Promise<number> {
  const bookings = await lockDueBookings(tx, BATCH);
  for (const booking of bookings) {
    const status = statusByTime(booking);
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
    run: async () => moreIf((await database.transact(sendReminders)) === BATCH),
  },
  {
    name: 'bookings',
    purpose: 'ends lessons that were missed, done or never confirmed, and unanswered proposals of another time',
    everyMs: 10_000,
    run: async () => {
      const lapsed = await database.transact(dropExpiredProposals);
      const ended = await database.transact(endDueBookings);
      return moreIf(lapsed === BATCH || ended === BATCH);
    },
  },
];
