import type { Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { isAccepted, nextState, pairOf, type Call, type CallType, type Held } from '../call/call.ts';
import { acceptedCalls, activate, intendAccept, lockCall, lockLiveCallOfPair } from '../call/call-store.ts';
import { stepCost } from '../call/meter.ts';
import { announce, applyLapse, callFacts, stopRinging } from '../call/call-service.ts';
import { serviceFor, serviceOf } from '../pricing/pricing-store.ts';
import type { Person, Plan } from '../copies/copy-store.ts';
import type { Parts } from '../parts.ts';
import { insufficientFunds, noRingingCall, unavailable } from '../errors.ts';
import { texts } from '../texts.ts';
import { presentTransaction } from './transaction.ts';

/** The cost of the first step, at the prices that the acceptance has fixed. */
const firstStep = ({ base_cost, iterator_cost }: Call) =>
  stepCost(1, { iterator: 0, base_cost: base_cost ?? 0, iterator_cost: iterator_cost ?? 0 });

/** A teacher accepts a call: its prices are fixed, wallet holds the first step, and the call becomes active. */
export function createAcceptance({ database, people, wallet }: Parts) {
  async function factsOf(teacherId: number): Promise<{ teacher: Person; plan: Plan }> {
    const teacher = (await people.find([teacherId])).get(teacherId);
    const plan = teacher?.plan_id ? await people.plan(teacher.plan_id) : undefined;
    if (!teacher || !plan) throw new Error(`teacher ${teacherId} has no account or no plan`);
    return { teacher, plan };
  }

  /** Records the intent before wallet is asked. Returns an active call unchanged, and undefined when none rings. */
  async function intend(
    tx: Tx,
    wanted: { studentId: number; teacherId: number; type: CallType; planId: number },
  ): Promise<Call | undefined> {
    const found = await lockLiveCallOfPair(tx, wanted.studentId, wanted.teacherId);
    if (!found || found.call_type !== wanted.type) return undefined;
    const call = await applyLapse(tx, found);
    if (call.state === 'active') return call;
    if (nextState(call.state, 'accept') === undefined) return undefined;
    if (call.accepting_at !== null) return call;
    const { iterator, base_cost, iterator_cost } = await serviceFor(tx, call.call_type);
    const { commission_percent } = await readSettings(tx, ['commission_percent']);
    const plan_id = wanted.planId;
    return intendAccept(tx, call, { plan_id, iterator, base_cost, iterator_cost, commission_percent });
  }

  /** Begins the call after wallet has placed the hold, unless it has stopped ringing meanwhile. */
  const begin = (id: number, held: Held) =>
    database.transact(async (tx) => {
      const call = await lockCall(tx, id);
      if (nextState(call.state, 'accept') === undefined) return call;
      const active = await activate(tx, call, held);
      const data = { ...callFacts(active), accepted_at: active.accepted_at };
      await announce(tx, active, { to: pairOf(active), event: 'call.accepted', data });
      return active;
    });

  const cancelUnpaid = (id: number) =>
    database.transact(async (tx) => stopRinging(tx, await lockCall(tx, id), 'cancel', { reason: 'payment_required' }));

  async function reserve(call: Call): Promise<Call> {
    const verdict = await wallet.hold(call, firstStep(call));
    if (verdict.outcome === 'unknown') throw unavailable(texts.walletAway);
    if (verdict.outcome === 'declined') {
      await cancelUnpaid(call.id);
      throw insufficientFunds(texts.studentLacksMoney);
    }
    const begun = await begin(call.id, verdict.answer);
    // The settlement job would release it later; now, so that the student can call somebody else at once.
    if (begun.state !== 'active') await wallet.release(call.identifier);
    return begun;
  }

  /**
   * Repeated, it returns the same transaction. Throws not_found when no such call rings; payment_required when the
   * student cannot pay the first step (the call is canceled then); unavailable when wallet does not answer (the call
   * keeps ringing).
   */
  return async (teacherId: number, studentId: number, type: CallType) => {
    const { teacher, plan } = await factsOf(teacherId);
    const intended = await database.transact((tx) => intend(tx, { studentId, teacherId, type, planId: plan.id }));
    assertThat(intended, noRingingCall);
    const call = intended.state === 'active' ? intended : await reserve(intended);
    assertThat(isAccepted(call), noRingingCall);
    const service = await serviceOf(database.manager, call);
    const transactionsCount = await acceptedCalls(database.manager, teacherId);
    return { call, transaction: presentTransaction({ call, teacher, plan, service, transactionsCount }) };
  };
}
