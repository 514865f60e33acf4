import { createBatch } from '@tutoring/shared/batch';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { isUnavailable } from '@tutoring/shared/database/refusals';
import { assertThat, AppError } from '@tutoring/shared/errors';
import { isAccepted, type Call } from '../calls/call.ts';
import { lockCallsOfTeachers } from '../calls/calls-store.ts';
import { applyLapse } from '../calls/transitions.ts';
import { away, conflict, tooPoor } from '../errors.ts';
import { texts } from '../texts.ts';
import { isCovered, stepsDue } from './meter.ts';
import { recordBills, type Bill } from './meter-store.ts';
import type { Settlement } from './settlement.ts';

/** How long a bill waits for wallet; an answer comes within 3 seconds. */
const BILL_PATIENCE_MS = 2_300;

/** Bills in one transaction, and such transactions at the same time. */
const BATCH = { size: 64, atOnce: 1 };

interface Asked {
  identifier: string;
  teacherId: number;
}

const keyOf = (identifier: string, teacherId: number) => `${teacherId} ${identifier}`;

interface Opened {
  call: Call;
  /** This request asks wallet; otherwise somebody else is at it. */
  mine: boolean;
  /** The hold pays whatever is due. */
  covered: boolean;
}

/** Throws payment_required for a call that has ended because the money ran out. */
const assertPaid = (call: Call) => assertThat(call.ended_by !== 'exhaustion', tooPoor(texts.cannotBill.money));

/** The teacher's bill: charges every step that is due and not charged yet, each once. */
export function createBilling({ database, settlement }: { database: Database; settlement: Settlement }) {
  /** Requests that ask at the same time, in one transaction; of several for one call the first one asks wallet. */
  async function openAll(tx: Tx, asked: Asked[], wait: boolean): Promise<(Opened | undefined)[]> {
    const bills: Bill[] = [];
    const opened = new Map<string, Opened>();
    for (const found of await lockCallsOfTeachers(tx, asked, wait)) {
      const call = await applyLapse(tx, found);
      const isMetered = call.state === 'active' && isAccepted(call);
      if (!isMetered) {
        opened.set(keyOf(call.identifier, call.teacher_id), { call, mine: false, covered: false });
        continue;
      }
      const steps = Math.max(call.steps_due, stepsDue(call.elapsed_us ?? 0, call.iterator));
      const mine = steps > call.steps && !call.leased;
      bills.push({ call, stepsDue: steps, takesLease: mine });
      const billed = { ...call, steps_due: steps, lease: call.lease + (mine ? 1 : 0) };
      opened.set(keyOf(call.identifier, call.teacher_id), { call: billed, mine, covered: isCovered(billed) });
    }
    if (bills.length > 0) await recordBills(tx, bills);
    return asked.map(({ identifier, teacherId }) => {
      const key = keyOf(identifier, teacherId);
      const one = opened.get(key);
      if (one?.mine) opened.set(key, { ...one, mine: false });
      return one;
    });
  }

  async function openOne(asked: Asked): Promise<Opened> {
    const [opened] = await database.transact((tx) => openAll(tx, [asked], true));
    assertThat(opened, new AppError('not_found', texts.cannotBill.unknown));
    return opened;
  }

  const open = createBatch<Asked, Opened>({
    ...BATCH,
    many: (asked) => database.transact((tx) => openAll(tx, asked, false)),
    one: openOne,
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  return {
    /**
     * Throws not_found, conflict when the call is not active, payment_required when the money ran out (the call is over
     * then), unavailable when wallet is away and the hold does not cover what is due.
     */
    async bill(teacherId: number, identifier: string): Promise<void> {
      const deadline = Date.now() + BILL_PATIENCE_MS;
      const { call, mine, covered } = await open({ identifier, teacherId });
      assertPaid(call);
      assertThat(call.state === 'active', conflict(texts.cannotBill.notActive));
      if (call.steps >= call.steps_due || (!mine && covered)) return;
      const isAnswered = (now: Call) => now.steps >= call.steps_due || now.state !== 'active';
      const after = mine
        ? await settlement.carryOut(call, deadline)
        : await settlement.watch(call.id, deadline, isAnswered);
      if (after.steps >= call.steps_due) return;
      assertPaid(after);
      assertThat(covered, away(texts.cannotBill.walletAway));
    },
  };
}

export type Billing = ReturnType<typeof createBilling>;
