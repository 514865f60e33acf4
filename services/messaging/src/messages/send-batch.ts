import type { Database } from '@tutoring/shared/database/open';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import type { Outgoing, Sent } from './outgoing.ts';
import { sendAll } from './send-store.ts';

const LARGEST = 64;
/** While so many statements are under way, further sends wait and go together with the next. */
const UNDER_WAY = 2;

interface Waiting {
  item: Outgoing;
  resolve(sent: Sent): void;
  reject(error: unknown): void;
}

/** Sends at once when little happens, and many messages in one commit when much does. */
export function createSendBatch(database: Database): (item: Outgoing) => Promise<Sent> {
  const waiting: Waiting[] = [];
  let underWay = 0;

  const settle = (batch: Waiting[], sent: Sent[]) =>
    batch.forEach(({ resolve, reject }, index) => {
      const one = sent[index];
      if (one) resolve(one);
      else reject(new Error('a message was neither sent nor refused'));
    });

  /** What one of them broke is tried again one by one, so that only that one fails. */
  async function run(batch: Waiting[]): Promise<void> {
    try {
      const items = batch.map(({ item }) => item);
      settle(batch, await database.autocommit((manager) => sendAll(manager, items)));
    } catch (error) {
      if (batch.length === 1 || isUnavailable(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await run([one]);
    }
  }

  function next(): void {
    while (waiting.length > 0 && underWay < UNDER_WAY) {
      underWay += 1;
      void run(waiting.splice(0, LARGEST)).finally(() => {
        underWay -= 1;
        next();
      });
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      next();
    });
}
