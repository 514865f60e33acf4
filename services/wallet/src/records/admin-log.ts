import type { AdminCaller } from '@tutoring/shared/auth';
import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/outbox';

/** An administrator and the request he makes. */
export interface Acting {
  admin: AdminCaller;
  requestId: string;
}

/** Tells the audit log what an administrator changed, with the transaction of the change. */
export async function logAdminAction(
  tx: Tx,
  { admin, requestId }: Acting,
  action: {
    name: string;
    subject: string;
    before: Record<string, unknown> | null;
    after: Record<string, unknown>;
    at: string;
  },
): Promise<void> {
  await publish(tx, 'admin.acted', {
    admin_id: admin.id,
    admin_name: admin.name,
    action: action.name,
    subject: action.subject,
    before: action.before,
    after: action.after,
    request_id: requestId,
    acted_at: action.at,
  });
}
