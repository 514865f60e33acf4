import { createBatch } from '@tutoring/shared/batch';
import type { Database } from '@tutoring/shared/database/open';
import type { LiveMessage } from '@tutoring/shared/events/live';
import { publishInOrder } from '@tutoring/shared/events/publish/outbox';
import type { Job } from '@tutoring/shared/jobs';
import { isAccepted, isEnded, type Accepted, type Call, type Ended, hasOpenWork } from '../call/call.ts';
import { dueAt, isFinalRefusal, stepCost } from '../call/meter.ts';
import { findCall, lockCall } from '../call/call-store.ts';
import { endOf, isLive } from '../call/life-cycle.ts';
import { announce, endUnpaid, pairOf, announceEnd } from '../call/call-service.ts';
import { SETTLEMENT_PATIENCE_MS } from '../deadlines.ts';
import type { ChargeAnswer, Wallet, WalletVerdict } from '../wallet/wallet.ts';
import {
  writeOffRest,
  recordLowBalance,
  paymentOf,
  postpone,
  recordCharges,
  recordFreeCharges,
  markSettled,
  claimOpenCalls,
  OPEN_IN,
  type Charged,
  type Payment,
} from './billing-store.ts';

const POLL_MS = 40;
const JOB_BATCH = 128;

/** `size`: charges per statement. `atOnce`: such statements at the same time. */
const RECORD_BATCH = { size: 64, atOnce: 1 };
/** What a recorded charge is published on. */
const PUBLISHED = { publishes: ['live'] };

/** The live message to both people after a call's last charge. */
function settlementOf(call: Ended): LiveMessage {
  const { identifier, steps, total_cost, total_duration } = call;
  const data = { identifier, steps, total_cost, total_duration, ended_by: endOf(call.ended_by) };
  return { to: pairOf(call), event: 'call.settled', data };
}

/** Milliseconds that a request may still wait for wallet, at least 1. */
const patience = (deadline: number) => Math.max(1, deadline - Date.now());

const JOB = {
  name: 'settlement',
  purpose: 'charges steps, and releases reserves, that a request has left open',
  movesMoney: true,
  dueIn: OPEN_IN,
};

/**
 * Finishes a call's open work with wallet: the charges that are due and, after its end, the release of the hold. Only
 * the holder of the call's lease asks wallet. It asks outside transactions and records each answer in one.
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

  /** Returns null when that step is recorded already. */
  const record = createBatch<Payment, Charged | null>({
    ...RECORD_BATCH,
    keys: ({ call }) => [call.id],
    many: async (payments) => {
      const recorded = await database.autocommit((tx) => recordFreeCharges(tx, payments), PUBLISHED);
      const charged = new Map(recorded.map((one) => [one.id, one]));
      return payments.map(({ call }) => charged.get(call.id));
    },
    one: async (payment) => (await database.autocommit((tx) => recordCharges(tx, [payment]), PUBLISHED))[0] ?? null,
  });

  /** Records a charge and warns the student that the next step is not covered. */
  const recordWithWarning = (payment: Payment, available: number) =>
    database.transact(async (tx) => {
      const [after] = await recordCharges(tx, [payment]);
      if (after?.state === 'active') {
        const { id, identifier, student_id, accepted_at, iterator } = payment.call;
        const data = { identifier, available, next_due_at: dueAt(accepted_at, after.steps + 1, iterator) };
        await recordLowBalance(tx, id);
        await publishInOrder(tx, [{ to: { user: student_id }, event: 'call.low_balance', data }]);
      }
      return after ?? null;
    });

  /** Returns undefined when that step is recorded already. */
  async function recordAnswer(call: Accepted, answer: ChargeAnswer): Promise<Accepted | undefined> {
    const isNextCovered = answer.reserved >= call.iterator_cost;
    const payment = paymentOf(call, answer);
    const after = await (isNextCovered ? record(payment) : recordWithWarning(payment, answer.available));
    return after ? { ...call, ...after } : undefined;
  }

  /** Wallet refused for lack of money: ends the call or drops its unpaid steps. False when that is not certain yet. */
  const recordRefusal = (call: Call) =>
    database.transact(async (tx) => {
      const locked = await lockCall(tx, call.id);
      if (locked.lease !== call.lease || locked.steps !== call.steps) return false;
      if (!isFinalRefusal(locked.since_lost_us)) return false;
      if (locked.state === 'active' || locked.ended_by === 'silence') await endUnpaid(tx, locked);
      else await writeOffRest(tx, locked);
      return true;
    });

  const recordSettlement = (call: Call) =>
    database.transact(async (tx) => {
      const after = await markSettled(tx, call);
      if (after) await announce(tx, after, isEnded(after) ? settlementOf(after) : undefined);
    });

  const releaseLease = (call: Call, lost: boolean) => database.autocommit((tx) => postpone(tx, call, lost));

  /** Charges the next step. Returns the call to continue with, or undefined to stop: postponed or done elsewhere. */
  async function chargeNext(call: Accepted, deadline: number): Promise<Call | undefined> {
    const verdict = await ask(call, call.steps + 1, deadline);
    if (verdict.outcome === 'accepted') return recordAnswer(call, verdict.answer);
    if (verdict.outcome === 'declined' && (await recordRefusal(call))) return findCall(database.manager, call.id);
    await releaseLease(call, verdict.outcome === 'unknown');
    return undefined;
  }

  async function releaseHold(call: Call, deadline: number): Promise<void> {
    const verdict = await wallet.release(call.identifier, patience(deadline));
    if (verdict.outcome === 'accepted') await recordSettlement(call);
    else await releaseLease(call, true);
  }

  /** `holdsLease`: the lease is still held. */
  async function chargeDue(leased: Call, deadline: number): Promise<{ call: Call; holdsLease: boolean }> {
    let call = leased;
    while (call.steps < call.steps_due && isAccepted(call)) {
      const next = await chargeNext(call, deadline);
      if (!next || next.lease !== leased.lease)
        return { call: (await findCall(database.manager, call.id)) ?? call, holdsLease: false };
      call = next;
      if (Date.now() >= deadline && hasOpenWork(call)) {
        await releaseLease(call, false);
        return { call, holdsLease: false };
      }
    }
    return { call, holdsLease: true };
  }

  /** Asks wallet until nothing is open, it does not answer or the deadline (process clock, ms) passes; tells the end. */
  async function settle(leased: Call, deadline: number): Promise<Call> {
    const { call, holdsLease } = await chargeDue(leased, deadline);
    if (!call.end_announced) await database.transact((tx) => announceEnd(tx, call.id));
    if (holdsLease && !isLive(call.state)) await releaseHold(call, deadline);
    return call;
  }

  /** Waits until `done` is true for a call that is settled elsewhere, or the deadline passes. */
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
      ...JOB,
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
