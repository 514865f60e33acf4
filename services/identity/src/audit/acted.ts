import type { AdminCaller } from '@tutoring/shared/auth';
import { currentContext } from '@tutoring/shared/context';
import type { Tx } from '@tutoring/shared/database/open';
import { publish } from '@tutoring/shared/events/outbox';
import { now } from './audit-store.ts';

type Facts = Record<string, unknown> | null;

/** Publishes what an administrator changed, in the transaction of the change. */
export async function acted(
  tx: Tx,
  admin: AdminCaller,
  change: { action: string; subject: string; before: Facts; after: Facts },
): Promise<void> {
  await publish(tx, 'admin.acted', {
    admin_id: admin.id,
    admin_name: admin.name,
    ...change,
    request_id: currentContext()?.requestId ?? '',
    acted_at: await now(tx),
  });
}
