import { moreIf, type Job } from '@tutoring/shared/kit/jobs';
import { queueJob } from '@tutoring/shared/kit/queue';
import { LAPSE_IN, lockLapsedCalls, lockCall } from '../call/call-store.ts';
import { isLive } from '../call/call.ts';
import { applyLapse, endUnpaid } from '../call/call-service.ts';
import type { Parts } from '../parts.ts';
import * as wallet from '../wallet/wallet.ts';
import { claimUncoveredCalls, UNCOVERED_IN, type UncoveredCall } from './billing-store.ts';

const BATCH = 100;

/** Ends calls for lack of money when no bill request does. The settlement job makes the remaining charges. */
export function uncoveredJob(parts: Parts): Job {
  const { database } = parts;

  /** Ends a call when neither the hold nor the balance pays its due step. */
  async function endIfUnaffordable(uncovered: UncoveredCall): Promise<void> {
    if ((await wallet.available(parts, uncovered.student_id)) >= uncovered.missing) return;
    await database.transact(async (tx) => {
      const call = await applyLapse(tx, await lockCall(tx, uncovered.id));
      const isUnchanged =
        call.state === 'active' && call.steps === uncovered.steps && call.steps_due === uncovered.steps;
      if (isUnchanged) await endUnpaid(tx, call);
    });
  }

  return queueJob<UncoveredCall>({
    name: 'uncovered-calls',
    purpose: 'ends calls whose student cannot pay the next step',
    movesMoney: true,
    dueIn: UNCOVERED_IN,
    concurrency: BATCH,
    claim: (limit) => database.autocommit((tx) => claimUncoveredCalls(tx, limit)),
    work: endIfUnaffordable,
  });
}

/** Ends calls that have lapsed: unanswered rings, and calls without bills or signs of life. */
export const lapseJob = ({ database }: Parts): Job => ({
  name: 'lapse',
  purpose: 'ends unanswered rings, and calls without bills or signs of life',
  dueIn: LAPSE_IN,
  run: async () => {
    const ended = await database.transact(async (tx) => {
      const calls = [];
      for (const { id } of await lockLapsedCalls(tx, BATCH)) calls.push(await applyLapse(tx, await lockCall(tx, id)));
      return calls.filter(({ state }) => !isLive(state)).length;
    });
    return moreIf(ended === BATCH);
  },
});
