import { createBatch } from '@tutoring/shared/batch';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import { assertThat } from '@tutoring/shared/errors';
import { isAccepted, type Call, type LockedCall } from '../call/call.ts';
import { lockCallsOfTeachers, lockFreeCallsOfTeachers } from '../call/call-store.ts';
import { lapse } from '../call/life-cycle.ts';
import { isCovered, stepsDue } from '../call/meter.ts';
import { applyLapse } from '../call/call-service.ts';
import { BILL_LIMIT_MS, BILL_PATIENCE_MS, BILL_QUEUE_MS } from '../deadlines.ts';
import { conflict, insufficientFunds, noCallToBill, unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { recordBills, type Bill } from './billing-store.ts';
import type { Settlement } from './settlement-service.ts';

/** `size`: bills per transaction. `atOnce`: such transactions at the same time. */
const BATCH = { size: 64, atOnce: 1, patienceMs: BILL_QUEUE_MS, limitMs: BILL_LIMIT_MS };

interface Asked {
  identifier: string;
  teacherId: number;
}

const keyOf = (identifier: string, teacherId: number) => `${teacherId} ${identifier}`;

interface Opened {
  call: Call;
  /** This request took the lease and asks wallet; otherwise another request or process does. */
  holdsLease: boolean;
  /** The hold pays everything that is due. */
  covered: boolean;
}

/** Throws payment_required for a call that has ended because the money ran out. */
const assertPaid = (call: Call) =>
  assertThat(call.state !== 'ended' || call.ended_by !== 'exhaustion', () => insufficientFunds(texts.cannotBill.money));

/** The teacher's `bill` request: charges every step that is due and not charged yet, exactly once. */
export function createBilling({ database, settlement }: { database: Database; settlement: Settlement }) {
  /** Decides whether there is a bill to record or nothing left to charge. */
  function assess(call: LockedCall): Opened & { bill?: Bill } {
    if (call.state !== 'active' || !isAccepted(call)) return { call, holdsLease: false, covered: false };
    const steps = Math.max(call.steps_due, stepsDue(call.elapsed_us ?? 0, call.iterator));
    const holdsLease = steps > call.steps && !call.leased;
    const billed = { ...call, steps_due: steps, lease: call.lease + (holdsLease ? 1 : 0) };
    return {
      call: billed,
      holdsLease,
      covered: isCovered(billed),
      bill: { call, stepsDue: steps, takesLease: holdsLease },
    };
  }

  async function openOne(tx: Tx, asked: Asked): Promise<Opened | undefined> {
    const [found] = await lockCallsOfTeachers(tx, [asked]);
    if (!found) return undefined;
    const { bill, ...opened } = assess(await applyLapse(tx, found));
    if (bill) await recordBills(tx, [bill]);
    return opened;
  }

  /**
   * Opens simultaneous requests in one transaction; for several of the same call the first one asks wallet. Leaves out
   * calls that are unknown, locked elsewhere or over by time alone: each gets a transaction of its own, so that its
   * events carry the id of its own request.
   */
  async function openAll(tx: Tx, asked: Asked[]): Promise<(Opened | undefined)[]> {
    const found = (await lockFreeCallsOfTeachers(tx, asked)).filter((call) => lapse(call) === undefined);
    const opened = new Map(found.map((call) => [keyOf(call.identifier, call.teacher_id), assess(call)]));
    const bills = [...opened.values()].flatMap(({ bill }) => bill ?? []);
    if (bills.length > 0) await recordBills(tx, bills);
    return asked.map(({ identifier, teacherId }) => {
      const key = keyOf(identifier, teacherId);
      const one = opened.get(key);
      if (one?.holdsLease) opened.set(key, { ...one, holdsLease: false });
      return one;
    });
  }

  const open = createBatch<Asked, Opened>({
    ...BATCH,
    many: (asked) => database.transact((tx) => openAll(tx, asked)),
    one: async (asked) => {
      const opened = await database.transact((tx) => openOne(tx, asked));
      assertThat(opened, noCallToBill);
      return opened;
    },
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  return {
    /**
     * Throws not_found; conflict when the call is not active; payment_required when the money ran out (the call has
     * ended then); unavailable when wallet does not answer and the hold does not cover what is due.
     */
    async bill(teacherId: number, identifier: string): Promise<void> {
      const deadline = Date.now() + BILL_PATIENCE_MS;
      const { call, holdsLease, covered } = await open({ identifier, teacherId });
      assertPaid(call);
      assertThat(call.state === 'active', () => conflict(texts.cannotBill.notActive));
      if (call.steps >= call.steps_due || (!holdsLease && covered)) return;
      const isAnswered = (now: Call) => now.steps >= call.steps_due || now.state !== 'active';
      const after = holdsLease
        ? await settlement.settle(call, deadline)
        : await settlement.waitFor(call.id, deadline, isAnswered);
      if (after.steps >= call.steps_due) return;
      assertPaid(after);
      assertThat(covered, () => unavailable(texts.cannotBill.walletAway));
    },
  };
}

export type Billing = ReturnType<typeof createBilling>;
