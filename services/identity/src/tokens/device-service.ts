import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/publish/outbox';
import * as store from './token-store.ts';

/** Publishes the users' current device keys. */
export async function publishDevices(tx: Tx, userIds: number[]): Promise<void> {
  for (const userId of [...new Set(userIds)].sort((a, b) => a - b)) {
    const devices = await store.touchDevices(tx, userId);
    if (devices) await publish(tx, 'devices.changed', { user_id: userId, ...devices });
  }
}

/** Sets a session's device key, and removes it from every other token; or removes the session's key. */
export async function setDevice(tx: Tx, userId: number, id: number, deviceKey: string | null): Promise<void> {
  if (deviceKey !== null) await store.lockDevice(tx, deviceKey);
  if (!(await store.setDevice(tx, userId, id, deviceKey))) return;
  const others = deviceKey === null ? [] : await store.releaseDevice(tx, deviceKey, id);
  await publishDevices(tx, [userId, ...others]);
}
