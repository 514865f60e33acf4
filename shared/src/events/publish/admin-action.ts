import type { AdminCaller } from '../../identity/auth.ts';
import { currentContext } from '../../process/context.ts';
import type { Tx } from '../../database/open.ts';
import type { EventData } from '../catalogue.ts';
import { publish } from './outbox.ts';

/** The actor: an administrator, or an operator at a command line. */
export type Actor = Pick<AdminCaller, 'id' | 'name'>;

/** What an administrator did: `withdrawal.updated` to `withdrawal:12`. */
export type AdminAction = Pick<EventData<'admin.acted'>, 'action' | 'subject' | 'before' | 'after'> & { at: string };

/** Publishes what an administrator changed to the audit log, in the transaction of the change. */
export const recordAdminAction = (tx: Tx, admin: Actor, { at, ...change }: AdminAction): Promise<void> =>
  publish(tx, 'admin.acted', {
    admin_id: admin.id,
    admin_name: admin.name,
    ...change,
    request_id: currentContext()?.requestId ?? '',
    acted_at: at,
  });
