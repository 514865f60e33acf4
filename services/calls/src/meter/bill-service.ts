import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat, AppError } from '@tutoring/shared/errors';
import { isAccepted, type Call } from '../calls/call.ts';
import { lockCallOfTeacher } from '../calls/calls-store.ts';
import { applyLapse } from '../calls/transitions.ts';
import { away, conflict, tooPoor } from '../errors.ts';
import { texts } from '../texts.ts';
import { isCovered, stepsDue } from './meter.ts';
import { recordBill } from './meter-store.ts';
import type { Settlement } from './settlement.ts';

/** How long a bill waits for wallet; an answer comes within 3 seconds. */
const BILL_PATIENCE_MS = 2_300;

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
  async function open(tx: Tx, teacherId: number, identifier: string): Promise<Opened | undefined> {
    const found = await lockCallOfTeacher(tx, identifier, teacherId);
    if (!found) return undefined;
    const call = await applyLapse(tx, found);
    if (call.state !== 'active' || !isAccepted(call)) return { call, mine: false, covered: false };
    const billed = await recordBill(tx, call, stepsDue(call.elapsed_us ?? 0, call.iterator));
    const covered = isCovered({ ...call, steps: billed.steps, steps_due: billed.steps_due });
    return { call: billed, mine: billed.lease > call.lease, covered };
  }

  return {
    /**
     * Throws not_found, conflict when the call is not active, payment_required when the money ran out (the call is over
     * then), unavailable when wallet is away and the hold does not cover what is due.
     */
    async bill(teacherId: number, identifier: string): Promise<void> {
      const deadline = Date.now() + BILL_PATIENCE_MS;
      const opened = await database.transact((tx) => open(tx, teacherId, identifier));
      assertThat(opened, new AppError('not_found', texts.cannotBill.unknown));
      const { call, mine, covered } = opened;
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
