import type { Tx } from '@tutoring/shared/kit/database/open';
import { recordAdminAction, type Actor, type AdminAction } from '@tutoring/shared/contract/admin-action';
import { now } from './audit-store.ts';

/** Values before and after a change; null for none. */
export type Facts = Partial<Pick<AdminAction, 'before' | 'after'>>;

/** Recorded when the change ended a lock-out. */
export const LOCKOUT_ENDED = { lockout: 'ended' };

/** Publishes an administrator's action (`plan.created`) on a subject (`plan:12`), in the transaction of the change. */
export async function recordAction(tx: Tx, admin: Actor, action: string, subject: string, facts: Facts) {
  recordAdminAction(tx, admin, { action, subject, before: null, after: null, ...facts, at: await now(tx) });
}
