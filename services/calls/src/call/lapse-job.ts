import type { Database } from '@tutoring/shared/database/open';
import { moreIf, type Job } from '@tutoring/shared/jobs';
import { applyLapse } from './call-service.ts';
import { LAPSE_IN, lapsedCalls, lockCall } from './call-store.ts';
import { isLive } from './call.ts';

const BATCH = 100;

/** Records what time alone has done: calls that rang in vain, and those whose teacher has fallen silent. */
export const lapseJob = (database: Database): Job => ({
  name: 'lapse',
  purpose: 'ends rings in vain, and calls whose teacher has fallen silent',
  dueIn: LAPSE_IN,
  run: async () => {
    const over = await database.transact(async (tx) => {
      const calls = [];
      for (const { id } of await lapsedCalls(tx, BATCH)) calls.push(await applyLapse(tx, await lockCall(tx, id)));
      return calls.filter(({ state }) => !isLive(state)).length;
    });
    return moreIf(over === BATCH);
  },
});
