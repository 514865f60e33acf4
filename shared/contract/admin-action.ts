import type { AdminCaller } from '../kit/identity/auth.ts';
import { currentContext } from '../kit/process/context.ts';
import type { Tx } from '../kit/database/open.ts';
import type { EventData } from './events.ts';
import { publish } from './publish.ts';

/** An administrator, or an operator at the command line. */
export type Actor = Pick<AdminCaller, 'id' | 'name'>;

/** A change by an administrator: the action (`withdrawal.updated`) and its subject (`withdrawal:12`). */
export type AdminAction = Pick<EventData<'admin.acted'>, 'action' | 'subject' | 'before' | 'after'> & { at: string };

/** Publishes the change to the audit log. Call it in the transaction of the change. */
export const recordAdminAction = (tx: Tx, admin: Actor, { at, ...change }: AdminAction): void =>
  publish(tx, [
    {
      name: 'admin.acted',
      data: {
        admin_id: admin.id,
        admin_name: admin.name,
        ...change,
        request_id: currentContext()?.requestId ?? '',
        acted_at: at,
      },
    },
  ]);
