import { randomUUID } from 'node:crypto';
import type { Caller } from '@tutoring/shared/identity/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import { once } from '@tutoring/shared/http/serve/idempotency';
import { Reply } from '@tutoring/shared/http/declare/route';

interface Request {
  caller: Caller;
  /** Method and path. */
  scope: string;
  key: string | undefined;
  body: unknown;
}

/**
 * Runs `effect` in a transaction, once per Idempotency-Key. When the connection is cut after COMMIT was sent, the
 * outcome is unknown: the key (a generated one, when the client sent none) is looked up, and the error is returned only
 * when the effect did not happen.
 */
export async function transactOnce<T>(
  database: Database,
  request: Request,
  effect: (tx: Tx) => Promise<T>,
): Promise<T | Reply> {
  const keyed = { ...request, key: request.key ?? `auto:${randomUUID()}` };
  try {
    return await database.transact((tx) => once(tx, keyed, () => effect(tx)));
  } catch (failure) {
    if (!isUnavailable(failure)) throw failure;
    const settled = await database.transact((tx) => once(tx, keyed, () => Promise.reject(failure as Error)));
    return settled instanceof Reply && request.key === undefined ? new Reply(settled.body) : settled;
  }
}
