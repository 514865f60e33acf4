import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/publish/outbox';
import { touchDevices } from './token-store.ts';

/** Publishes the users' current device keys. */
export async function publishDevices(tx: Tx, userIds: number[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort((a, b) => a - b)) {
    const devices = await touchDevices(tx, userId);
    if (devices) await publish(tx, 'devices.changed', { user_id: userId, ...devices });
  }
}
