import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { roomUuid } from '@tutoring/shared/contract/room-uuid';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import * as store from '../call/call-store.ts';
import { isAccepted, isLive, nextState, paidSeconds, participantsOf, stepCost } from '../call/call.ts';
import type { Call, CallType, PlacedHold, LockedCall } from '../call/call.ts';
import { announce, applyLapse, liveCallFields, stopRinging } from '../call/call-service.ts';
import { reservedStudents } from '../bookings/booking-store.ts';
import type { Parts } from '../parts.ts';
import * as rtc from '../provider/rtc.ts';
import * as wallet from '../wallet/wallet.ts';
import { serviceFor, serviceOf } from '../pricing/pricing-store.ts';
import { isBlocked, lockPeople, type Person, type Plan } from '../copies/copy-store.ts';
import { assertReachable } from '../copies/person-service.ts';
import { conflict, insufficientFunds, noRingingCall, tooManyRings, unavailable } from '../errors.ts';
import { tokenSeconds } from '../provider/rtc.ts';
import { texts } from '../texts.ts';
import { presentTransaction } from './transaction.ts';

const INSERT_ATTEMPTS = 3;

const SETTINGS = ['call_ring_timeout_seconds', 'require_verified_teacher', 'max_free_rings'] as const;
type Settings = Record<(typeof SETTINGS)[number], number>;

const summary = ({ id, name, photo }: Person) => ({ id, name, photo });

/** The cost of the first step at the prices of the acceptance. */
const firstStep = ({ base_cost, iterator_cost }: Call) =>
  stepCost(1, { iterator: 0, base_cost: base_cost ?? 0, iterator_cost: iterator_cost ?? 0 });

/** Returns the participants of a call. Throws as `assertReachable`. */
const participantsIn = (found: Map<number, Person>, studentId: number, teacherId: number, settings: Settings) =>
  assertReachable([found.get(studentId), found.get(teacherId)], {
    field: 'teacher_user_id',
    verifiedOnly: settings.require_verified_teacher === 1,
    banned: texts.teacherUnavailable,
  });

interface RingRequest {
  student: Person;
  teacher: Person;
  type: CallType;
  settings: Settings;
}

/**
 * Locks the participants. Returns their ringing call when this request repeats it. Throws conflict when either is in
 * another live call, and as `assertReachable`: one may have been banned or deleted during the request to wallet.
 */
async function lockIdlePair(tx: Tx, { student, teacher, type, settings }: RingRequest) {
  await store.lockUsers(tx, [student.id]);
  const people = new Map((await lockPeople(tx, [student.id, teacher.id])).map((person) => [person.id, person]));
  participantsIn(people, student.id, teacher.id, settings);
  const liveCalls: LockedCall[] = [];
  for (const found of await store.lockLiveCalls(tx, [student.id, teacher.id])) {
    const call = await applyLapse(tx, found);
    if (isLive(call.state)) liveCalls.push(call);
  }
  const ofStudent = liveCalls.find((call) => call.student_id === student.id);
  const repeated = ofStudent?.state === 'ringing' && ofStudent.teacher_id === teacher.id ? ofStudent : undefined;
  assertThat(!repeated || repeated.call_type === type, () => conflict(texts.busy.otherType));
  if (repeated) return repeated;
  assertThat(!ofStudent, () => conflict(texts.busy.student));
  assertThat(liveCalls.length === 0, () => conflict(texts.busy.teacher));
  return undefined;
}

/*
 * The part of a call before it is active. When a teacher accepts, the prices are fixed, then wallet holds the cost of
 * the first step, then the call becomes active.
 */

type PreparedRing = Awaited<ReturnType<typeof prepareRing>>;

async function callablePair({ people, database }: Parts, studentId: number, teacherId: number, settings: Settings) {
  const found = await people.find([studentId, teacherId]);
  const pair = participantsIn(found, studentId, teacherId, settings);
  // To keep a block secret, the teacher appears to be busy.
  assertThat(!(await isBlocked(database.manager, studentId, teacherId)), () => conflict(texts.busy.teacher));
  return pair;
}

/** Throws as `callablePair`; unavailable when wallet is needed for the student's balance and does not answer. */
async function prepareRing(parts: Parts, studentId: number, teacherId: number, type: CallType) {
  const settings = await readSettings(parts.database.manager, SETTINGS);
  const { student, teacher } = await callablePair(parts, studentId, teacherId, settings);
  const service = await serviceFor(parts.database.manager, type);
  const cost = stepCost(1, service);
  const available = cost === 0 ? 0 : await wallet.available(parts, studentId);
  return { student, teacher, type, service, settings, cost, available };
}

/** One attempt in one transaction. Returns undefined when a concurrent call of one participant came first. */
async function tryRing(parts: Parts, tx: Tx, plan: PreparedRing): Promise<Call | undefined> {
  const { student, teacher, type, service } = plan;
  const repeated = await lockIdlePair(tx, plan);
  if (repeated) return repeated;
  assertThat(!(await isBlocked(tx, student.id, teacher.id)), () => conflict(texts.busy.teacher));
  const reservedFor = await reservedStudents(tx, teacher.id);
  assertThat(reservedFor.length === 0 || reservedFor.includes(student.id), () => conflict(texts.busy.teacher));
  const { call_ring_timeout_seconds: ringSeconds, max_free_rings: maxFreeRings } = plan.settings;
  const { now, wait } = await store.nextRingOfPair(tx, student.id, teacher.id, maxFreeRings);
  if (wait !== null) throw tooManyRings(wait);
  const tokenLifetime = tokenSeconds(ringSeconds, paidSeconds({ ...service, steps: 0, elapsed_us: 0 }, plan.available));
  const channel = roomUuid(parts.config.ROOM_NAMESPACE, student.id, teacher.id);
  const call = await store.insertCall(tx, {
    call_type: type,
    channel,
    student_id: student.id,
    teacher_id: teacher.id,
    service_id: service.id,
    now,
    ring_seconds: ringSeconds,
    rtc_token: rtc.sharedToken(parts, channel, tokenLifetime),
    token_seconds: tokenLifetime,
  });
  if (!call) return undefined;
  const people = { student: summary(student), teacher: summary(teacher) };
  const data = { ...liveCallFields(call), expires_at: call.ring_expires_at, ...people };
  await announce(tx, call, { to: { user: teacher.id }, event: 'call.ringing', data });
  return call;
}

/** Applies the command to the ringing call of the pair. Throws not_found when there is none. */
async function stop({ database }: Parts, studentId: number, teacherId: number, command: 'reject' | 'cancel') {
  const stopped = await database.transact(async (tx) => {
    const call = await store.lockLiveCallOfPair(tx, studentId, teacherId);
    return call && stopRinging(tx, await applyLapse(tx, call), command);
  });
  assertThat(stopped, noRingingCall);
}

async function teacherWithPlan({ people }: Parts, teacherId: number): Promise<{ teacher: Person; plan: Plan }> {
  const teacher = (await people.find([teacherId])).get(teacherId);
  const plan = teacher?.plan_id ? await people.plan(teacher.plan_id) : undefined;
  if (!teacher || !plan) throw new Error(`teacher ${teacherId} has no account or no plan`);
  return { teacher, plan };
}

/**
 * Records the acceptance before the hold request. Returns an active call unchanged, and undefined when none rings.
 */
async function recordIntent(
  tx: Tx,
  acceptance: { studentId: number; teacherId: number; type: CallType; planId: number },
): Promise<Call | undefined> {
  const found = await store.lockLiveCallOfPair(tx, acceptance.studentId, acceptance.teacherId);
  if (!found || found.call_type !== acceptance.type) return undefined;
  const call = await applyLapse(tx, found);
  if (call.state === 'active') return call;
  if (nextState(call.state, 'accept') === undefined) return undefined;
  if (call.accepting_at !== null) return call;
  const { iterator, base_cost, iterator_cost } = await serviceFor(tx, call.call_type);
  const settings = await readSettings(tx, ['commission_percent', 'require_student_alive']);
  const { commission_percent, require_student_alive } = settings;
  const needs_alive = require_student_alive === 1;
  const plan_id = acceptance.planId;
  const terms = { plan_id, iterator, base_cost, iterator_cost, commission_percent, needs_alive };
  return store.recordAcceptIntent(tx, call, terms);
}

/** Makes the call active after wallet has placed the hold, unless it no longer rings. */
const activateCall = ({ database }: Parts, id: number, held: PlacedHold) =>
  database.transact(async (tx) => {
    const call = await store.lockCall(tx, id);
    if (nextState(call.state, 'accept') === undefined) return call;
    const active = await store.activate(tx, call, held);
    const data = { ...liveCallFields(active), accepted_at: active.accepted_at };
    await announce(tx, active, { to: participantsOf(active), event: 'call.accepted', data });
    return active;
  });

const cancelUnpaid = ({ database }: Parts, id: number) =>
  database.transact(async (tx) =>
    stopRinging(tx, await store.lockCall(tx, id), 'cancel', { reason: 'payment_required' }),
  );

async function reserve(parts: Parts, call: Call): Promise<Call> {
  const verdict = await wallet.hold(parts, call, firstStep(call));
  if (verdict.outcome === 'unknown') throw unavailable(texts.walletAway);
  if (verdict.outcome === 'declined') {
    await cancelUnpaid(parts, call.id);
    throw insufficientFunds(texts.studentLacksMoney);
  }
  const begun = await activateCall(parts, call.id, verdict.answer);
  // The settlement job would release the hold later. Released now, the student can call another teacher at once.
  if (begun.state !== 'active') await wallet.release(parts, call.identifier);
  return begun;
}

/**
 * Rings the teacher. A repeat while the call rings returns the same call. Throws invalid for an unknown teacher;
 * conflict when either is busy, one has blocked the other or the teacher cannot be called; payment_required when
 * the balance does not cover the first step; rate_limited after too many free rings; unavailable when identity or
 * wallet is needed and does not answer.
 */
export async function init(parts: Parts, studentId: number, teacherId: number, type: CallType): Promise<Call> {
  const plan = await prepareRing(parts, studentId, teacherId, type);
  // An early check, to avoid useless rings: the hold at the acceptance decides.
  if (plan.available < plan.cost) {
    // The money may be held for a live call of the student, which is a conflict instead.
    const repeated = await parts.database.transact((tx) => lockIdlePair(tx, plan));
    assertThat(repeated, () => insufficientFunds(texts.notEnoughMoney));
    return repeated;
  }
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt += 1) {
    const call = await parts.database.transact((tx) => tryRing(parts, tx, plan));
    if (call) return call;
  }
  throw conflict(texts.busy.teacher);
}

export const reject = (parts: Parts, teacherId: number, studentId: number) =>
  stop(parts, studentId, teacherId, 'reject');

export const cancel = (parts: Parts, studentId: number, teacherId: number) =>
  stop(parts, studentId, teacherId, 'cancel');

/**
 * A repeat returns the same transaction. Throws not_found when no such call rings; payment_required when the
 * student cannot pay the first step (the call is canceled); unavailable when wallet does not answer (the call keeps
 * ringing).
 */
export async function accept(parts: Parts, teacherId: number, studentId: number, type: CallType) {
  const { teacher, plan } = await teacherWithPlan(parts, teacherId);
  const intended = await parts.database.transact((tx) =>
    recordIntent(tx, { studentId, teacherId, type, planId: plan.id }),
  );
  assertThat(intended, noRingingCall);
  const call = intended.state === 'active' ? intended : await reserve(parts, intended);
  // A concurrent repeat may have made the call active, and the call may already be over.
  assertThat(isAccepted(call) && isLive(call.state), noRingingCall);
  const service = await serviceOf(parts.database.manager, call);
  const transactionsCount = await store.acceptedCalls(parts.database.manager, teacherId);
  return { call, transaction: presentTransaction({ call, teacher, plan, service, transactionsCount }) };
}
