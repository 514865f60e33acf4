import type { AdminCaller } from '../../identity/auth.ts';
import { currentContext } from '../../process/context.ts';
import type { Tx } from '../../database/open.ts';
import type { EventData } from '../catalogue.ts';
import { publish } from './outbox.ts';

/** An administrator, or an operator at the command line. */
export type Actor = Pick<AdminCaller, 'id' | 'name'>;

/** A change by an administrator: the action (`withdrawal.updated`) and its subject (`withdrawal:12`). */
export type AdminAction = Pick<EventData<'admin.acted'>, 'action' | 'subject' | 'before' | 'after'> & { at: string };

/** Publishes the change to the audit log. Call it in the transaction of the change. */
export const recordAdminAction = (tx: Tx, admin: Actor, { at, ...change }: AdminAction): Promise<void> =>
  publish(tx, 'admin.acted', {
    admin_id: admin.id,
    admin_name: admin.name,
    ...change,
    request_id: currentContext()?.requestId ?? '',
    acted_at: at,
  });
