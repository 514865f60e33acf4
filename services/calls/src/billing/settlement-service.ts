import { createBatch } from '@tutoring/shared/batch';
import type { Database } from '@tutoring/shared/database/open';
import type { LiveMessage } from '@tutoring/shared/events/live';
import { publishLive } from '@tutoring/shared/events/outbox';
import type { Job } from '@tutoring/shared/jobs';
import { isAccepted, isEnded, type Accepted, type Call, type Ended } from '../call/call.ts';
import { findCall, lockCall } from '../call/call-store.ts';
import { endOf, isLive } from '../call/life-cycle.ts';
import { dueAt, isFinalRefusal, stepCost } from '../call/meter.ts';
import { announce, endUnpaid, pairOf } from '../call/call-service.ts';
import { SETTLEMENT_PATIENCE_MS } from '../deadlines.ts';
import type { ChargeAnswer, Wallet, WalletVerdict } from '../wallet/wallet.ts';
import {
  writeOffRest,
  recordLowBalance,
  paymentOf,
  postpone,
  recordCharges,
  markSettled,
  claimOpenCalls,
  type Charged,
  type Payment,
} from './billing-store.ts';

const POLL_MS = 40;
const JOB_BATCH = 128;

/** Charges recorded in one statement, and such statements at the same time. */
const RECORD_BATCH = { size: 64, atOnce: 1 };

const hasOpenWork = (call: Call) => call.steps < call.steps_due || !isLive(call.state);

/** What both people are told when a call's last charge is done: a call that never began has none. */
function settlementOf(call: Ended): LiveMessage {
  const { identifier, steps, total_cost, total_duration } = call;
  const data = { identifier, steps, total_cost, total_duration, ended_by: endOf(call.ended_by) };
  return { to: pairOf(call), event: 'call.settled', data };
}

/** Milliseconds that a request may still wait for wallet; never longer than its command's deadline. */
const patience = (deadline: number) => Math.max(1, deadline - Date.now());

/**
 * Carries out what a call has open with wallet: charges that are due, then, when it is over, the release of the hold.
 * Each question is asked outside transactions and its answer recorded in one; whoever holds the call's lease asks.
 */
export function createSettlement({ database, wallet }: { database: Database; wallet: Wallet }) {
  function ask(call: Accepted, step: number, deadline: number): Promise<WalletVerdict<ChargeAnswer>> {
    if (stepCost(step, call) === 0) {
      const answer = { charged: 0, reserved: call.reserved, available: 0 };
      return Promise.resolve({ outcome: 'accepted', answer });
    }
    const goesOn = call.state === 'active' || step < call.steps_due;
    return wallet.charge(call, step, goesOn ? stepCost(step + 1, call) : 0, patience(deadline));
  }

  const recordAll = (payments: Payment[], wait: boolean) =>
    database.autocommit((tx) => recordCharges(tx, payments, wait));

  /** Null when somebody else has recorded that step. */
  const record = createBatch<Payment, Charged | null>({
    ...RECORD_BATCH,
    keys: ({ call }) => [call.id],
    many: async (payments) => {
      const charged = new Map((await recordAll(payments, false)).map((one) => [one.id, one]));
      return payments.map(({ call }) => charged.get(call.id));
    },
    one: async (payment) => (await recordAll([payment], true))[0] ?? null,
  });

  /** Records a charge and warns the student: the next one is not covered. */
  const recordWithWarning = (payment: Payment, available: number) =>
    database.transact(async (tx) => {
      const [after] = await recordCharges(tx, [payment], true);
      if (after?.state === 'active') {
        const { id, identifier, student_id, accepted_at, iterator } = payment.call;
        const data = { identifier, available, next_due_at: dueAt(accepted_at, after.steps + 1, iterator) };
        await recordLowBalance(tx, id);
        await publishLive(tx, [{ to: { user: student_id }, event: 'call.low_balance', data }]);
      }
      return after ?? null;
    });

  /** Undefined when somebody else has recorded that step. */
  async function recordCharge(call: Accepted, answer: ChargeAnswer): Promise<Accepted | undefined> {
    const isNextCovered = answer.reserved >= call.iterator_cost;
    const payment = paymentOf(call, answer);
    const after = await (isNextCovered ? record(payment) : recordWithWarning(payment, answer.available));
    return after ? { ...call, ...after } : undefined;
  }

  /** The money is not there: the call is over, or its rest stays unpaid. False when that cannot be said for sure yet. */
  const recordRefusal = (call: Call) =>
    database.transact(async (tx) => {
      const locked = await lockCall(tx, call.id);
      if (locked.lease !== call.lease || locked.steps !== call.steps) return false;
      if (!isFinalRefusal(locked.since_lost_us)) return false;
      if (locked.state === 'active' || locked.ended_by === 'silence') await endUnpaid(tx, locked);
      else await writeOffRest(tx, locked.id);
      return true;
    });

  const recordSettlement = (call: Call) =>
    database.transact(async (tx) => {
      const after = await markSettled(tx, call);
      if (after) await announce(tx, after, isEnded(after) ? settlementOf(after) : undefined);
    });

  const releaseLease = (call: Call, lost: boolean) => database.autocommit((tx) => postpone(tx, call, lost));

  /** Charges the next step. Answers the call to go on with, or undefined when this is not the time or not ours to do. */
  async function chargeNext(call: Accepted, deadline: number): Promise<Call | undefined> {
    const verdict = await ask(call, call.steps + 1, deadline);
    if (verdict.outcome === 'accepted') return recordCharge(call, verdict.answer);
    if (verdict.outcome === 'declined' && (await recordRefusal(call))) return findCall(database.manager, call.id);
    await releaseLease(call, verdict.outcome === 'unknown');
    return undefined;
  }

  async function releaseHold(call: Call, deadline: number): Promise<void> {
    const verdict = await wallet.release(call.identifier, patience(deadline));
    if (verdict.outcome === 'accepted') await recordSettlement(call);
    else await releaseLease(call, true);
  }

  /** Asks until nothing is open, wallet is away or the deadline (milliseconds of the process clock) passes. */
  async function settle(leased: Call, deadline: number): Promise<Call> {
    let call = leased;
    while (call.steps < call.steps_due && isAccepted(call)) {
      const next = await chargeNext(call, deadline);
      if (!next || next.lease !== leased.lease) return (await findCall(database.manager, call.id)) ?? call;
      call = next;
      if (Date.now() >= deadline && hasOpenWork(call)) {
        await releaseLease(call, false);
        return call;
      }
    }
    if (!isLive(call.state)) await releaseHold(call, deadline);
    return call;
  }

  /** Waits until `done` says so of a call that somebody else settles, or the deadline passes. */
  async function waitFor(id: number, deadline: number, done: (call: Call) => boolean): Promise<Call> {
    for (;;) {
      const call = await findCall(database.manager, id);
      if (!call) throw new Error(`call ${id} has vanished`);
      if (done(call) || Date.now() >= deadline) return call;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  return {
    settle,
    waitFor,
    job: {
      name: 'settlement',
      everyMs: 1_000,
      run: async () => {
        for (;;) {
          const calls = await database.autocommit((tx) => claimOpenCalls(tx, JOB_BATCH));
          await Promise.all(calls.map((call) => settle(call, Date.now() + SETTLEMENT_PATIENCE_MS)));
          if (calls.length < JOB_BATCH) return;
        }
      },
    } satisfies Job,
  };
}

export type Settlement = ReturnType<typeof createSettlement>;
