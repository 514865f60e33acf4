import { createWorkerPool } from '@tutoring/shared/kit/worker-pool';
import type { Database } from '@tutoring/shared/kit/database/open';
import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { backOff, withTimeout } from '@tutoring/shared/kit/process/deadlines';
import { watchDeliveries } from '@tutoring/shared/kit/deliveries';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import { PUSH_LEASE_SECONDS, PUSH_SEND_MS } from '../deadlines.ts';
import { countUnread } from '../rooms/room-store.ts';
import type { Push, PushSender } from './push.ts';
import {
  claimPushes,
  hasDuePushes,
  markDeviceDead,
  OLDEST_PUSH,
  PUSH_DUE_IN,
  postponePush,
  removePush,
} from './push-store.ts';

/** Number of notifications that one process sends concurrently. */
const CONCURRENCY = 50;
export const MAX_ATTEMPTS = 10;

/** Seconds until the next attempt after `attempts` failed ones: 5, 10, 20 ... up to 10 minutes. */
export const backoffSeconds = (attempts: number) => backOff(attempts - 1, 5, 600);

const timedOut = () => new Error('the push provider did not answer');

/** Sends queued notifications to the provider, at least once each, with back-off. Marks devices that are gone. */
export function pushJob(deps: {
  database: Database;
  send: PushSender;
  logger: Logger;
  metrics: Metrics;
  wake: () => void;
}): Job {
  const { database, send, logger, metrics, wake } = deps;
  const count = watchDeliveries(metrics, database.manager, { push: OLDEST_PUSH });
  const crew = createWorkerPool(CONCURRENCY);

  async function retryLater(push: Push, error: unknown): Promise<void> {
    const last = push.attempts >= MAX_ATTEMPTS;
    count('push', last ? 'expired' : 'failed');
    logger.warn({ err: error, push: push.id, attempts: push.attempts, dropped: last }, 'a push failed');
    await database.autocommit((tx) =>
      last ? removePush(tx, push.id) : postponePush(tx, push.id, backoffSeconds(push.attempts)),
    );
  }

  async function deliver(push: Push): Promise<void> {
    try {
      const unread = await countUnread(database.manager, push.user_id);
      const outcome = await withTimeout(PUSH_SEND_MS, send(push, unread), timedOut);
      count('push', outcome === 'gone' ? 'refused' : 'sent');
      if (outcome === 'gone') await database.transact((tx) => markDeviceDead(tx, push.device_key));
      else await database.autocommit((tx) => removePush(tx, push.id));
      // The end of this ring may be queued: it becomes due only now, when the ring has left the queue.
      if (push.kind === 'incoming_call') wake();
    } catch (error) {
      await retryLater(push, error);
    }
  }

  return {
    name: 'push',
    purpose: 'sends due notifications to devices',
    dueIn: PUSH_DUE_IN,
    run: async () => {
      if (!(await hasDuePushes(database.manager))) return undefined;
      const claim = (limit: number) => database.transact((tx) => claimPushes(tx, limit, PUSH_LEASE_SECONDS));
      return moreIf(await crew.fill(claim, deliver));
    },
    whenIdle: crew.whenIdle,
  };
}
