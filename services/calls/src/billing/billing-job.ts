import type { Database } from '@tutoring/shared/database/open';
import type { Job } from '@tutoring/shared/jobs';
import { lockCall } from '../call/call-store.ts';
import { SILENT_STEPS } from '../call/life-cycle.ts';
import { applyLapse, endUnpaid } from '../call/call-service.ts';
import type { Wallet } from '../wallet/wallet.ts';
import { silentCalls, uncoveredCalls, type UncoveredCall } from './billing-store.ts';

const BATCH = 100;
const EVERY_MS = 1_000;

/** Jobs that end calls without a request. The settlement job makes the remaining charges. */
export function billingJobs({ database, wallet }: { database: Database; wallet: Wallet }): Job[] {
  /** Ends a call whose next step is due and paid neither by the hold nor by the balance: nobody teaches for free. */
  async function endIfUnaffordable(uncovered: UncoveredCall): Promise<void> {
    if ((await wallet.available(uncovered.student_id)) >= uncovered.missing) return;
    await database.transact(async (tx) => {
      const call = await applyLapse(tx, await lockCall(tx, uncovered.id));
      const isAsSeen = call.state === 'active' && call.steps === uncovered.steps && call.steps_due === uncovered.steps;
      if (isAsSeen) await endUnpaid(tx, call);
    });
  }

  /** Ends one batch of silent calls. Returns how many. */
  const endSilent = () =>
    database.transact(async (tx) => {
      const silent = await silentCalls(tx, BATCH, SILENT_STEPS);
      for (const { id } of silent) await applyLapse(tx, await lockCall(tx, id));
      return silent.length;
    });

  return [
    {
      name: 'silent-calls',
      everyMs: EVERY_MS,
      run: async () => {
        while ((await endSilent()) === BATCH);
      },
    },
    {
      name: 'uncovered-calls',
      everyMs: EVERY_MS,
      run: async () => {
        for (const call of await uncoveredCalls(database.manager, BATCH)) await endIfUnaffordable(call);
      },
    },
  ];
}
