import { createBatch, type BatchLimits } from '@tutoring/shared/kit/batch';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import { assertThat } from '@tutoring/shared/kit/errors';
import { publish } from '@tutoring/shared/contract/publish';
import { queueJob } from '@tutoring/shared/kit/queue';
import {
  dueAt,
  hasOpenWork,
  isAccepted,
  isCovered,
  isFinalRefusal,
  isLive,
  lapse,
  stepCost,
  stepsOwed,
} from '../call/call.ts';
import type { Accepted, Call, LockedCall } from '../call/call.ts';
import { announceEnd, announceSettled, applyLapse, endUnpaid } from '../call/call-service.ts';
import { findCall, leaseEnd, lockCall, lockCallsOfTeachers, tryLockCallsOfTeachers } from '../call/call-store.ts';
import type { CallOfTeacher } from '../call/call-store.ts';
import { BILL_LIMIT_MS, BILL_PATIENCE_MS, BILL_QUEUE_MS, SETTLEMENT_PATIENCE_MS } from '../deadlines.ts';
import { conflict, insufficientFunds, noCallToBill, unavailable } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import type { ChargeAnswer, WalletVerdict } from '../call/charge.ts';
import * as wallet from '../wallet/wallet.ts';
import * as store from './billing-store.ts';

const POLL_MS = 40;
/** Calls that the job settles concurrently. */
const JOB_CONCURRENCY = 128;

/** `size`: charges per statement. `atOnce`: concurrent statements. */
const RECORD_BATCH: BatchLimits = { size: 64, atOnce: 1 };
/** The stream on which a recorded charge is published. */
const PUBLISHES_LIVE = { publishes: ['live'] };

/** Parts, and the batches in which charges are recorded and bills opened. */
export interface BillParts extends Parts {
  /** Returns null when the step is already recorded. */
  recordCharge: (payment: store.Payment) => Promise<store.RecordedCharge | null>;
  openBill: (request: CallOfTeacher) => Promise<OpenedBill>;
}

/** Milliseconds until the deadline (process clock), at least 1. */
const remainingMs = (deadline: number) => Math.max(1, deadline - Date.now());

/*
 * Settlement finishes a call's open work with wallet: charges the steps that are due and, after the call's end,
 * releases the hold. Only the holder of the call's lease sends requests to wallet, outside transactions. Each answer is
 * recorded in its own transaction.
 */

function requestCharge(
  parts: BillParts,
  call: Accepted,
  step: number,
  deadline: number,
): Promise<WalletVerdict<ChargeAnswer>> {
  if (stepCost(step, call) === 0) {
    const answer = { charged: 0, reserved: call.reserved, available: 0 };
    return Promise.resolve({ outcome: 'accepted', answer });
  }
  const goesOn = call.state === 'active' || step < call.steps_due;
  return wallet.charge(parts, call, step, goesOn ? stepCost(step + 1, call) : 0, remainingMs(deadline));
}

/** Records a charge and warns the student that the balance does not cover the next step. */
const recordWithWarning = ({ database }: BillParts, call: Accepted, payment: store.Payment, available: number) =>
  database.transact(async (tx) => {
    const [after] = await store.recordCharges(tx, [payment]);
    if (after?.state === 'active') {
      const { id, identifier, student_id, accepted_at, iterator } = call;
      const data = { identifier, available, next_due_at: dueAt(accepted_at, after.steps + 1, iterator) };
      await store.recordLowBalance(tx, id);
      publish(tx, [{ to: { user: student_id }, event: 'call.low_balance', data }]);
    }
    return after ?? null;
  });

/** Returns undefined when the step is already recorded. */
async function recordAnswer(parts: BillParts, call: Accepted, answer: ChargeAnswer): Promise<Accepted | undefined> {
  const isNextCovered = answer.reserved >= call.iterator_cost;
  const payment = store.paymentOf(call, answer);
  const after = await (isNextCovered
    ? parts.recordCharge(payment)
    : recordWithWarning(parts, call, payment, answer.available));
  return after ? { ...call, ...after } : undefined;
}

/** Ends the call, or writes off its unpaid steps, for lack of money. Returns false while the refusal is not final. */
const recordRefusal = ({ database }: BillParts, call: Call) =>
  database.transact(async (tx) => {
    const locked = await lockCall(tx, call.id);
    if (locked.lease !== call.lease || locked.steps !== call.steps) return false;
    if (!isFinalRefusal(locked.since_lost_us)) return false;
    if (locked.state === 'active' || locked.ended_by === 'silence') await endUnpaid(tx, locked);
    else await store.writeOffUnpaidSteps(tx, locked);
    return true;
  });

const recordSettlement = ({ database }: BillParts, call: Call) =>
  database.transact(async (tx) => {
    const after = await store.markSettled(tx, call);
    if (after) await announceSettled(tx, after);
  });

const releaseLease = ({ database }: BillParts, call: Call, lost: boolean) =>
  database.autocommit((tx) => store.postpone(tx, call, lost));

/** Charges the next step. Returns the updated call; undefined when the step is postponed or charged elsewhere. */
async function chargeNext(parts: BillParts, call: Accepted, deadline: number): Promise<Call | undefined> {
  const verdict = await requestCharge(parts, call, call.steps + 1, deadline);
  if (verdict.outcome === 'accepted') return recordAnswer(parts, call, verdict.answer);
  if (verdict.outcome === 'declined' && (await recordRefusal(parts, call)))
    return findCall(parts.database.manager, call.id);
  await releaseLease(parts, call, verdict.outcome === 'unknown');
  return undefined;
}

async function releaseHold(parts: BillParts, call: Call, deadline: number): Promise<void> {
  const verdict = await wallet.release(parts, call.identifier, remainingMs(deadline));
  if (verdict.outcome === 'accepted') await recordSettlement(parts, call);
  else await releaseLease(parts, call, true);
}

/** Charges the steps that are due. `holdsLease`: whether this request still holds the lease. */
async function chargeDue(
  parts: BillParts,
  leased: Call,
  deadline: number,
): Promise<{ call: Call; holdsLease: boolean }> {
  let call = leased;
  while (call.steps < call.steps_due && isAccepted(call)) {
    const next = await chargeNext(parts, call, deadline);
    if (!next || next.lease !== leased.lease)
      return { call: (await findCall(parts.database.manager, call.id)) ?? call, holdsLease: false };
    call = next;
    if (Date.now() >= deadline && hasOpenWork(call)) {
      await releaseLease(parts, call, false);
      return { call, holdsLease: false };
    }
  }
  return { call, holdsLease: true };
}

/**
 * Sends requests to wallet until the call has no open work, wallet does not answer, or the deadline (process clock,
 * milliseconds) passes. Publishes the call's end if it is not published yet.
 */
export async function settle(parts: BillParts, leased: Call, deadline: number): Promise<Call> {
  const { call, holdsLease } = await chargeDue(parts, leased, deadline);
  if (!call.end_announced) await parts.database.transact((tx) => announceEnd(tx, call.id));
  if (holdsLease && !isLive(call.state)) await releaseHold(parts, call, deadline);
  return call;
}

/** Polls a call that another process settles, until `done` is true or the deadline passes. */
export async function waitFor(
  { database }: BillParts,
  id: number,
  deadline: number,
  done: (call: Call) => boolean,
): Promise<Call> {
  for (;;) {
    const call = await findCall(database.manager, id);
    if (!call) throw new Error(`call ${id} no longer exists`);
    if (done(call) || Date.now() >= deadline) return call;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Finishes the settlements that requests have not finished. A call for which wallet is slow delays no other call. */
export const settlementJob = (parts: BillParts) =>
  queueJob<Call>({
    name: 'settlement',
    purpose: 'finishes charges and releases of holds that a request has not finished',
    movesMoney: true,
    dueIn: store.OPEN_IN,
    concurrency: JOB_CONCURRENCY,
    claim: (limit) => parts.database.autocommit((tx) => store.claimOpenCalls(tx, limit)),
    work: (call) => settle(parts, call, Date.now() + SETTLEMENT_PATIENCE_MS),
  });

/** `size`: bills per transaction. `atOnce`: concurrent transactions. */
const BILL_BATCH: BatchLimits = { size: 64, atOnce: 1, maxWaitMs: BILL_QUEUE_MS, limitMs: BILL_LIMIT_MS };

const keyOf = (identifier: string, teacherId: number) => `${teacherId} ${identifier}`;

interface OpenedBill {
  call: LockedCall;
  /** Whether this request took the lease and sends the requests to wallet. */
  holdsLease: boolean;
}

/** Throws payment_required for a call that has ended for lack of money. */
const assertPaid = (call: Call) =>
  assertThat(call.state !== 'ended' || call.ended_by !== 'exhaustion', () => insufficientFunds(texts.cannotBill.money));

/* The teacher's `bill` request: charges every due step exactly once. */

/** Returns a locked call after a bill request: with a new `billed_at`, the due steps and, if needed, the lease. */
function applyBill(call: LockedCall): OpenedBill {
  if (call.state !== 'active' || !isAccepted(call)) return { call, holdsLease: false };
  const steps_due = stepsOwed(call);
  const holdsLease = steps_due > call.steps && !call.leased;
  const lease = holdsLease && { lease: call.lease + 1, leased_until: leaseEnd(call) };
  return { call: { ...call, billed_at: call.now, steps_due, ...lease }, holdsLease };
}

async function openOne(tx: Tx, request: CallOfTeacher): Promise<OpenedBill | undefined> {
  const [found] = await lockCallsOfTeachers(tx, [request]);
  if (!found) return undefined;
  const opened = applyBill(await applyLapse(tx, found));
  if (opened.call.state === 'active') await store.recordBills(tx, [opened.call]);
  return opened;
}

/**
 * Opens concurrent requests in one transaction. When several are for the same call, the first one takes the lease.
 * Skips calls that are unknown, locked by another transaction or have lapsed: each of them gets its own transaction,
 * so that its events have the id of its own request.
 */
async function openAll(tx: Tx, requests: CallOfTeacher[]): Promise<(OpenedBill | undefined)[]> {
  const found = (await tryLockCallsOfTeachers(tx, requests)).filter((call) => lapse(call) === undefined);
  const opened = new Map(found.map((call) => [keyOf(call.identifier, call.teacher_id), applyBill(call)]));
  const billed = [...opened.values()].map(({ call }) => call).filter(({ state }) => state === 'active');
  if (billed.length > 0) await store.recordBills(tx, billed);
  return requests.map(({ identifier, teacherId }) => {
    const key = keyOf(identifier, teacherId);
    const bill = opened.get(key);
    if (bill?.holdsLease) opened.set(key, { ...bill, holdsLease: false });
    return bill;
  });
}

/**
 * Throws not_found; conflict when the call is not active; payment_required when the call has ended for lack of money;
 * unavailable when wallet does not answer and the hold does not cover the due steps.
 */
export async function bill(parts: BillParts, teacherId: number, identifier: string): Promise<void> {
  const deadline = Date.now() + BILL_PATIENCE_MS;
  const { call, holdsLease } = await parts.openBill({ identifier, teacherId });
  assertPaid(call);
  assertThat(call.state === 'active', () => conflict(texts.cannotBill.notActive));
  const covered = isAccepted(call) && isCovered(call);
  if (call.steps >= call.steps_due || (!holdsLease && covered)) return;
  const isAnswered = (now: Call) => now.steps >= call.steps_due || now.state !== 'active';
  const after = holdsLease ? await settle(parts, call, deadline) : await waitFor(parts, call.id, deadline, isAnswered);
  if (after.steps >= call.steps_due) return;
  assertPaid(after);
  assertThat(covered, () => unavailable(texts.cannotBill.walletAway));
}

const chargeRecorder = ({ database }: Parts) =>
  createBatch<store.Payment, store.RecordedCharge | null>({
    ...RECORD_BATCH,
    keys: ({ id }) => [id],
    processBatch: async (payments) => {
      const recorded = await database.autocommit((tx) => store.tryRecordCharges(tx, payments), PUBLISHES_LIVE);
      const charged = new Map(recorded.map((charge) => [charge.id, charge]));
      return payments.map(({ id }) => charged.get(id));
    },
    processItem: async (payment) =>
      (await database.autocommit((tx) => store.recordCharges(tx, [payment]), PUBLISHES_LIVE))[0] ?? null,
  });

const billOpener = ({ database }: Parts) =>
  createBatch<CallOfTeacher, OpenedBill>({
    ...BILL_BATCH,
    processBatch: (requests) => database.transact((tx) => openAll(tx, requests)),
    processItem: async (request) => {
      const opened = await database.transact((tx) => openOne(tx, request));
      assertThat(opened, noCallToBill);
      return opened;
    },
    isWorthSplitting: (error) => !isUnavailable(error),
  });

export const withBatches = (parts: Parts): BillParts => ({
  ...parts,
  recordCharge: chargeRecorder(parts),
  openBill: billOpener(parts),
});
