import type { Tx } from '@tutoring/shared/database/open';
import { recordAdminAction, type Actor, type AdminAction } from '@tutoring/shared/events/publish/admin-action';
import { now } from './audit-store.ts';

/** What a change was about; null where there was nothing. */
export type Facts = Partial<Pick<AdminAction, 'before' | 'after'>>;

/** Of a person whom a lock-out kept out. */
export const LOCKOUT_ENDED = { lockout: 'ended' };

/** Publishes what an administrator did (`plan.created`) to what (`plan:12`), in the transaction of the change. */
export async function recordAction(tx: Tx, admin: Actor, action: string, subject: string, facts: Facts) {
  await recordAdminAction(tx, admin, { action, subject, before: null, after: null, ...facts, at: await now(tx) });
}
