import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/kit/database/sql';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { runScenarios } from '@tutoring/shared/testing/lives';
import { startCrashingReplicas, type CrashingReplicas } from '@tutoring/shared/testing/replica';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { type Call, deadlinesOf, type Deadlines } from '../src/call/call.ts';
import { startScene, type Party, type Scene } from './scene.ts';
import { createModel, type Model, type ModelCall } from './model.ts';
import { step, type Aimed, type Step } from './model-steps.ts';
import { LOAD_TIMEOUT_MS, scaled } from '@tutoring/shared/testing/scale';

const SECONDS = scaled(1_800, 40);

let scene: Scene;
let mortals: CrashingReplicas;
beforeAll(async () => {
  scene = await startScene();
  mortals = await startCrashingReplicas(scene.service, new URL('../src/main.ts', import.meta.url));
});
afterAll(async () => {
  await mortals.stop();
  await scene.stop();
});

interface Cast {
  students: [number, number];
  teachers: [number, number];
}

const STEP_SECONDS = 60;
/** Real time passes as well: a command within this distance of a boundary could fall on either side of it. */
const MARGIN_SECONDS = 6;

/** The participants and the type of the call to which a step applies. */
function targetOf(step: Aimed, model: Model, cast: Cast) {
  const ringing = model.calls().find(({ state }) => state === 'ringing');
  if (step.aimed && ringing)
    return { party: { student: ringing.student, teacher: ringing.teacher }, type: ringing.type };
  return { party: { student: cast.students[step.student], teacher: cast.teachers[step.teacher] }, type: step.type };
}

/** Performs a step on the service and on the model, and compares the results. */
async function perform(step: Step, model: Model, cast: Cast): Promise<void> {
  const agree = (status: number, expected: number) => expect([step, status]).toEqual([step, expected]);
  switch (step.what) {
    case 'begin':
      await perform({ ...step, what: 'init' }, model, cast);
      await perform({ ...step, what: 'accept' }, model, cast);
      return;
    case 'init': {
      const { party, type } = targetOf({ ...step, aimed: false }, model, cast);
      agree((await retryWhile503(() => scene.init(party, type))).status, model.init(party, type));
      return;
    }
    case 'accept': {
      const { party, type } = targetOf(step, model, cast);
      const answer = await retryWhile503(() => scene.accept(party, type));
      agree(answer.status, model.accept(party, type));
      if (answer.status === 200) model.setIdentifier(party, answer.body.transaction.identifier as string);
      return;
    }
    case 'cancel':
    case 'reject': {
      const { party } = targetOf(step, model, cast);
      const stop = scene[step.what];
      const { status } = await retryWhile503(() => stop(party));
      agree(status, model.stopRinging(party, step.what));
      return;
    }
    case 'bill': {
      const call = model.latestOf(cast.teachers[step.teacher]);
      if (!call) return;
      const expected = model.bill(call);
      const { status } = await retryWhile503(() => scene.bill(call, call.identifier));
      // The call has ended without a request, by silence or for lack of money, whichever came first.
      agree(expected === 409 && status === 402 ? 409 : status, expected);
      return;
    }
    case 'alive': {
      const call = model.latestOf(cast.teachers[step.teacher]);
      if (!call) return;
      const { status } = await retryWhile503(() => scene.alive(call, call.identifier));
      agree(status, model.alive(call));
      return;
    }
    case 'require':
      await requireAlive(step.value, model);
      return;
    case 'end': {
      const call = model.latestOf(cast.teachers[step.teacher]);
      if (call) await hangUp(call, step.by, model);
      return;
    }
    case 'pass':
      model.pass(model.safeSeconds(step.seconds, MARGIN_SECONDS));
      await setClock(model);
      await settle(cast, model);
      return;
    case 'deposit':
      scene.wallet.deposit(cast.students[step.student], step.amount);
      model.deposit(cast.students[step.student], step.amount);
      return;
    case 'wallet':
      // Wallet fails during one bill of each active call; the charges are made after the outage.
      scene.wallet.setMode(step.mode);
      for (const call of model.active())
        agree((await scene.bill(call, call.identifier)).status, model.billCovered(call) ? 200 : 503);
      scene.wallet.setMode('fine');
      for (const call of model.active()) model.bill(call);
      await settle(cast, model);
      return;
    case 'die':
      await die(step, model, cast);
      await settle(cast, model);
  }
}

let settingVersion = 0;
async function requireAlive(value: 0 | 1, model: Model): Promise<void> {
  settingVersion += 1;
  await scene.service.receive('setting.changed', { name: 'require_student_alive', value, version: settingVersion });
  model.requireAlive(value === 1);
}

type Dying = Extract<Step, { what: 'die' }>;

/** A request in flight; `perform` applies it to the model and returns the expected status. */
interface Flight extends Party {
  send: () => Promise<TestResponse>;
  perform: () => number;
}

const billing = (call: ModelCall, model: Model): Flight => ({
  ...call,
  send: () => scene.bill(call, call.identifier),
  perform: () => model.bill(call),
});

async function inFlight({ during, by, ...step }: Dying, model: Model, cast: Cast): Promise<Flight | undefined> {
  const { party, type } = targetOf({ ...step, aimed: during !== 'init' && step.aimed }, model, cast);
  if (during === 'init' || during === 'accept')
    return { ...party, send: () => scene[during](party, type), perform: () => model[during](party, type) };
  if (during === 'cancel' || during === 'reject')
    return { ...party, send: () => scene[during](party), perform: () => model.stopRinging(party, during) };
  const call = model.latestOf(cast.teachers[step.teacher]);
  if (!call || during === 'bill') return call && billing(call, model);
  if (during === 'alive')
    return { ...call, send: () => scene.alive(call, call.identifier), perform: () => model.alive(call) };
  const { channel } = await scene.row(call.identifier);
  return {
    ...call,
    send: () => scene.end(by, call, call.identifier, String(channel)),
    perform: () => {
      model.end(call);
      return 200;
    },
  };
}

/** The process dies during a request and the bills of other calls. Requests without an answer are repeated. */
async function die(step: Dying, model: Model, cast: Cast): Promise<void> {
  // The model's time does not advance meanwhile.
  await eventually('another process has started', () => setClock(model).then(mortals.isReady));
  const flight = await inFlight(step, model, cast);
  const others = model
    .active()
    .filter(({ student, teacher }) => student !== flight?.student && teacher !== flight?.teacher);
  const flights = [...(flight ? [flight] : []), ...others.map((call) => billing(call, model))];
  const answers = await mortals.die(step.death, () => Promise.all(flights.map(answerTo)));
  await freeLeases(cast);
  await setClock(model);
  for (const [index, flight] of flights.entries()) {
    // Both statuses are possible: the first request may or may not have taken effect.
    const [first, again] = [flight.perform(), flight.perform()];
    const answer =
      answers[index] ?? (await eventually('an answer', () => setClock(model).then(() => answerTo(flight))));
    // A call that has ended without a request may have ended by silence or for lack of money.
    const isAllowed = [first, ...(answers[index] ? [] : [again])].some(
      (status) => answer.status === status || (status === 409 && answer.status === 402),
    );
    expect({ step, status: answer.status, first, again, isAllowed }).toMatchObject({ isAllowed: true });
    const identifier = answer.body?.transaction?.identifier as string | undefined;
    if (identifier) model.setIdentifier(flight, identifier);
  }
}

/** Ends the leases of the dead process, so that the test need not wait for their expiry. */
async function freeLeases({ students }: Cast): Promise<void> {
  const leased = await scene.service.rows<{ identifier: string }>(
    'select identifier from call where leased_until > clock_timestamp() and student_id = any($1)',
    [students],
  );
  for (const { identifier } of leased) await scene.resume(identifier);
}

/** The answer; undefined when it is unknown whether the request took effect. */
async function answerTo({ send }: Flight): Promise<TestResponse | undefined> {
  const answer = await send().catch(() => undefined);
  return answer?.status === 503 ? undefined : answer;
}

async function hangUp(call: ModelCall, by: 'student' | 'teacher', model: Model): Promise<void> {
  const { channel } = await scene.row(call.identifier);
  const ended = await retryWhile503(() => scene.end(by, call, call.identifier, String(channel)));
  expect(ended.status).toBe(200);
  model.end(call);
}

let begunAt = 0;
/** Sets the service's clock to the model's, so that elapsed real time does not count. */
const setClock = async (model: Model) =>
  void (await scene.service.shiftClock(model.now() - (performance.now() - begunAt) / 1000));

/** Asserts that the stored deadlines match the calls. */
async function deadlinesAgree(students: number[]): Promise<void> {
  const { database } = scene.service.service;
  await database.transact(async (tx) => {
    const calls = await rows<Call>(tx, 'select * from call where student_id = any($1) order by id for share', [
      students,
    ]);
    const stored = await rows<Deadlines & { call_id: number }>(
      tx,
      'select d.* from call_deadline d join call on id = call_id where student_id = any($1)',
      [students],
    );
    for (const call of calls) {
      const due = stored.find(({ call_id: id }) => id === call.id);
      const wanted = deadlinesOf(call);
      // The job that reads the balance postpones `uncovered_at`.
      const later = wanted?.uncovered_at && (due?.uncovered_at ?? '') > wanted.uncovered_at && due;
      expect(due).toEqual(
        wanted && { call_id: call.id, ...wanted, ...(later && { uncovered_at: later.uncovered_at }) },
      );
    }
  });
}

/** Waits until no call has open work with wallet, then compares calls and balances with the model. */
async function settle(cast: Cast, model: Model): Promise<void> {
  const expected = model.calls().map(({ state, steps, total_cost }) => ({ state, steps, total_cost }));
  const seen = { rows: [] as unknown[] };
  await eventually('everything is settled as the model says', async () => {
    await setClock(model);
    await scene.service.asOwner(
      `with due as (
         update call set retry_at = null, answer_lost_at = null
         where not settled and coalesce(leased_until < clock_timestamp(), true) and student_id = any($1) returning id)
       update call_deadline set open_at = '-infinity' from due where call_id = id and open_at is not null`,
      [cast.students],
    );
    const found = await scene.service.rows<{ state: string; steps: number; total_cost: number; open: boolean }>(
      `select state, steps, total_cost,
         steps < steps_due or (not settled and state not in ('ringing', 'active')) as open
       from call where student_id = any($1) order by id`,
      [cast.students],
    );
    seen.rows = found.map(({ state, steps, total_cost }) => ({ state, steps, total_cost }));
    return found.every(({ open }) => !open) && JSON.stringify(seen.rows) === JSON.stringify(expected);
  }).catch(() => expect(seen.rows).toEqual(expected));
  for (const id of [...cast.students, ...cast.teachers])
    expect([id, scene.wallet.balance(id)]).toEqual([id, model.balance(id)]);
  for (const student of cast.students)
    if (!model.active().some((call) => call.student === student)) expect(scene.wallet.held(student)).toBe(0);
}

async function live(steps: Step[]): Promise<void> {
  const [one, two] = [scene.party(400), scene.party(1_000)];
  const cast: Cast = { students: [one.student, two.student], teachers: [one.teacher, two.teacher] };
  const model = createModel({ stepSeconds: STEP_SECONDS, ringSeconds: 45 });
  begunAt = performance.now();
  await requireAlive(0, model);
  for (const id of cast.students) model.deposit(id, scene.wallet.balance(id));
  for (const next of steps) {
    await setClock(model);
    await perform(next, model, cast);
    await deadlinesAgree(cast.students);
  }
  await setClock(model);
  for (const call of model.active()) await hangUp(call, 'teacher', model);
  await settle(cast, model);
}

test(
  'random steps of two students and two teachers, with deaths of the process, charge exactly the due steps',
  async () => {
    const lives = fc.array(step, { minLength: 5, maxLength: 40, size: 'max' });
    expect(await runScenarios(lives, live, SECONDS)).toBeGreaterThan(0);
  },
  LOAD_TIMEOUT_MS,
);
