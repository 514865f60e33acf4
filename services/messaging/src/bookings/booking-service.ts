import { afterCommit, type Tx } from '@tutoring/shared/database/open';
import type { EventData } from '@tutoring/shared/events/catalogue';
import { enqueuePushes } from '../push/push-store.ts';
import { bookingNotification } from './booking.ts';

/** Notifies the devices of those whom a turn of a booking concerns. */
export const createBookings = ({ wakePush }: { wakePush: () => void }) => ({
  async notify(tx: Tx, told: EventData<'booking.announced'>): Promise<void> {
    const addressed = told.to.map(({ user_id, from }) => ({
      userId: user_id,
      notification: bookingNotification(told, from),
    }));
    await enqueuePushes(tx, addressed);
    afterCommit(tx, wakePush);
  },
});
