import type { Tx } from '@tutoring/shared/database/open';
import { recordAdminAction, type Actor, type AdminAction } from '@tutoring/shared/events/publish/admin-action';
import { now } from './audit-store.ts';

/** Publishes an administrator's change, in the transaction of the change. */
export async function recordAction(tx: Tx, admin: Actor, change: Omit<AdminAction, 'at'>): Promise<void> {
  await recordAdminAction(tx, admin, { ...change, at: await now(tx) });
}
