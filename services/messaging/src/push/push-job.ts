import type { Database } from '@tutoring/shared/database/open';
import type { Job } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/process/logger';
import { backOff, within } from '@tutoring/shared/process/deadlines';
import { PUSH_LEASE_SECONDS, PUSH_SEND_MS } from '../deadlines.ts';
import { countUnread } from '../rooms/room-store.ts';
import type { Push, PushSender } from './push.ts';
import { markDeviceDead, claimPushes, hasDuePushes, PUSH_DUE_IN, postponePush, removePush } from './push-store.ts';

const BATCH = 50;
export const MAX_ATTEMPTS = 10;

/** Seconds until the next attempt after `attempts` failed ones: 5, 10, 20 ... up to 10 minutes. */
export const backoffSeconds = (attempts: number) => backOff(attempts - 1, 5, 600);

const late = () => new Error('the push provider did not answer');

/** Sends queued notifications to the provider, at least once each, with back-off. Marks devices that are gone. */
export function pushJob(deps: { database: Database; send: PushSender; logger: Logger }): Job {
  const { database, send, logger } = deps;

  async function retryLater(push: Push, error: unknown): Promise<void> {
    const last = push.attempts >= MAX_ATTEMPTS;
    logger.warn({ err: error, push: push.id, attempts: push.attempts, dropped: last }, 'a push failed');
    await database.autocommit((tx) =>
      last ? removePush(tx, push.id) : postponePush(tx, push.id, backoffSeconds(push.attempts)),
    );
  }

  async function deliver(push: Push): Promise<void> {
    try {
      const unread = await countUnread(database.manager, push.user_id);
      const outcome = await within(PUSH_SEND_MS, send(push, unread), late);
      if (outcome === 'gone') await database.transact((tx) => markDeviceDead(tx, push.device_key));
      else await database.autocommit((tx) => removePush(tx, push.id));
    } catch (error) {
      await retryLater(push, error);
    }
  }

  return {
    name: 'push',
    purpose: 'sends notifications that are due to devices',
    dueIn: PUSH_DUE_IN,
    run: async () => {
      while (await hasDuePushes(database.manager)) {
        const claimed = await database.transact((tx) => claimPushes(tx, BATCH, PUSH_LEASE_SECONDS));
        // Due but not claimed: it waits for another notification that a process is sending now.
        if (claimed.length === 0) return;
        await Promise.all(claimed.map(deliver));
      }
    },
  };
}
