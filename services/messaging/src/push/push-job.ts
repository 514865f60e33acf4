import type { Database } from '@tutoring/shared/kit/database/open';
import { deliveryJobs, type DeliveryQueue } from '@tutoring/shared/kit/deliveries';
import type { Job } from '@tutoring/shared/kit/jobs';
import { withTimeout } from '@tutoring/shared/kit/process/deadlines';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import type { Metrics } from '@tutoring/shared/kit/process/metrics';
import { PUSH_LEASE_SECONDS, PUSH_SEND_MS } from '../deadlines.ts';
import { countUnread } from '../rooms/room-store.ts';
import type { Push, PushSender } from './push.ts';
import { AFTER_RING, markDeviceDead, OBSOLETE } from './push-store.ts';

const timedOut = () => new Error('the push provider did not answer');

/** Sends queued notifications to the provider, at least once each, with back-off. Marks devices that are gone. */
export function pushJobs(deps: {
  database: Database;
  send: PushSender;
  logger: Logger;
  metrics: Metrics;
  wake: () => void;
}): Job[] {
  const { database, send, wake } = deps;
  const queue: DeliveryQueue<Push> = {
    channel: 'push',
    purpose: 'sends due notifications to devices',
    table: 'push',
    columns: 'user_id, device_key, kind, language, title, body, data, created_at, expires_at',
    ready: AFTER_RING,
    obsolete: OBSOLETE,
    concurrency: 50,
    leaseSeconds: PUSH_LEASE_SECONDS,
    retry: { first: 5, longest: 600, maxAttempts: 10 },
    send: async (push) => {
      const unread = await countUnread(database.manager, push.user_id);
      const outcome = await withTimeout(PUSH_SEND_MS, send(push, unread), timedOut);
      if (outcome === 'sent') return 'sent';
      await database.transact((tx) => markDeviceDead(tx, push.device_key));
      return 'refused';
    },
    // The end of a ring may be queued: it becomes due only when the ring has left the queue.
    afterRemoval: ({ kind }) => void (kind === 'incoming_call' && wake()),
  };
  return deliveryJobs(deps, [queue]);
}
