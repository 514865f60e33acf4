import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import type { Parts } from '../parts.ts';
import { enqueuePushes } from '../push/push-store.ts';
import { bookingNotification } from './booking.ts';

/** Notifies the devices of those whom a turn of a booking concerns. */
export async function followBookings(tx: Tx, { wakePush }: Parts, told: EventData<'booking.announced'>): Promise<void> {
  await enqueuePushes(
    tx,
    told.to.map(({ user_id: userId, from }) => ({ userId, notification: bookingNotification(told, from) })),
  );
  afterCommit(tx, wakePush);
}
