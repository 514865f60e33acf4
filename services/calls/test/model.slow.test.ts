import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { rows } from '@tutoring/shared/database/sql';
import { eventually } from '@tutoring/shared/testing/wait';
import { type Call, deadlinesOf, type Deadlines } from '../src/call/call.ts';
import { startScene, type Scene } from './scene.ts';
import { createModel, type Model, type ModelCall } from './model.ts';
import { PATIENCE_MS, scaled } from '@tutoring/shared/testing/scale';

const RUNS = scaled(300, 6);

/** What can happen: the people act, time passes, wallet or the service fails. */
type Step =
  | {
      what: 'begin' | 'init' | 'cancel' | 'accept' | 'reject';
      student: 0 | 1;
      teacher: 0 | 1;
      type: 'video' | 'audio';
      /** The step is about the ringing call, whatever ids it has. */
      aimed: boolean;
    }
  | { what: 'bill' | 'end'; teacher: 0 | 1; by: 'student' | 'teacher' }
  | { what: 'pass'; seconds: number }
  | { what: 'deposit'; student: 0 | 1; amount: number }
  | { what: 'wallet'; weather: 'down' | 'loses answers' }
  | { what: 'crash'; index: 0 | 1; between: 'requests' | 'the charge and its record' | 'the end and its record' };

const who = fc.constantFrom<0 | 1>(0, 1);
const type = fc.constantFrom<'video' | 'audio'>('video', 'video', 'video', 'audio');
/** If steps chose people at random, most lives would contain no lesson. */
const aimed = fc.constantFrom(true, true, true, false);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom<'begin' | 'init' | 'accept'>('begin', 'begin', 'init', 'accept'),
      student: who,
      teacher: who,
      type,
      aimed,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom<'cancel' | 'reject'>('cancel', 'reject'),
      student: who,
      teacher: who,
      type,
      aimed,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom<'bill' | 'end'>('bill', 'bill', 'bill', 'end'),
      teacher: who,
      by: fc.constantFrom<'student' | 'teacher'>('student', 'teacher'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('pass' as const),
      seconds: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 31, max: 100 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('deposit' as const),
      student: who,
      amount: fc.constantFrom(60, 150, 400),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('wallet' as const),
      weather: fc.constantFrom<'down' | 'loses answers'>('down', 'loses answers'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('crash' as const),
      index: who,
      between: fc.constantFrom<'requests' | 'the charge and its record' | 'the end and its record'>(
        'requests',
        'the charge and its record',
        'the end and its record',
      ),
    }),
  },
);

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

interface Cast {
  students: [number, number];
  teachers: [number, number];
}

const STEP_SECONDS = 60;
/** Real time passes as well: a command this close to a boundary of the meter could fall on either side of it. */
const MARGIN_SECONDS = 6;

/** The people and the kind of call that a step is about. */
function aimOf(step: Extract<Step, { aimed: boolean }>, model: Model, cast: Cast) {
  const ringing = model.calls().find(({ state }) => state === 'ringing');
  if (step.aimed && ringing)
    return { party: { student: ringing.student, teacher: ringing.teacher }, type: ringing.type };
  return { party: { student: cast.students[step.student], teacher: cast.teachers[step.teacher] }, type: step.type };
}

/** Performs one step on the real service and the model, and compares their results. */
async function perform(step: Step, model: Model, cast: Cast): Promise<void> {
  const agree = (status: number, expected: number) => expect([step, status]).toEqual([step, expected]);
  switch (step.what) {
    case 'begin':
      await perform({ ...step, what: 'init' }, model, cast);
      await perform({ ...step, what: 'accept' }, model, cast);
      return;
    case 'init': {
      const { party, type } = aimOf({ ...step, aimed: false }, model, cast);
      agree((await scene.init(party, type)).status, model.init(party, type));
      return;
    }
    case 'accept': {
      const { party, type } = aimOf(step, model, cast);
      const answer = await scene.accept(party, type);
      agree(answer.status, model.accept(party, type));
      if (answer.status === 200) model.learn(party, answer.body.transaction.identifier as string);
      return;
    }
    case 'cancel':
    case 'reject': {
      const { party } = aimOf(step, model, cast);
      agree((await scene[step.what](party)).status, model.stopRinging(party, step.what));
      return;
    }
    case 'bill': {
      const call = model.latestOf(cast.teachers[step.teacher]);
      if (!call) return;
      const expected = model.bill(call);
      const { status } = await scene.bill(call, call.identifier);
      // The call has ended by time alone; either silence or the lack of money may have come first.
      agree(expected === 409 && status === 402 ? 409 : status, expected);
      return;
    }
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
      // Wallet fails during one bill of every active call; these are settled when it is back.
      scene.wallet.become(step.weather);
      for (const call of model.active())
        agree((await scene.bill(call, call.identifier)).status, model.billCovered(call) ? 200 : 503);
      scene.wallet.become('fine');
      for (const call of model.active()) model.bill(call);
      await settle(cast, model);
      return;
    case 'crash': {
      const call = model.active()[step.index % Math.max(1, model.active().length)];
      if (call && step.between !== 'requests') await crashDuring(step.between, call, model);
      await scene.service.restart(() => setClock(model));
      await settle(cast, model);
    }
  }
}

/** The service dies after wallet's part of a bill or an end: only its committed work remains. */
async function crashDuring(
  what: 'the charge and its record' | 'the end and its record',
  call: ModelCall,
  model: Model,
) {
  const { channel } = await scene.row(call.identifier);
  const dies = { charge: '/internal/charges/batch', release: '/internal/holds/release' };
  scene.wallet.after(what === 'the charge and its record' ? dies.charge : dies.release, scene.service.cutConnections);
  if (what === 'the charge and its record') {
    await scene.bill(call, call.identifier);
    model.bill(call);
  } else {
    await scene.end('student', call, call.identifier, String(channel));
    model.end(call);
  }
  scene.wallet.forget();
  // A dead process releases no lease; the test does not wait until its leases end.
  await scene.resume(call.identifier);
}

async function hangUp(call: ModelCall, by: 'student' | 'teacher', model: Model): Promise<void> {
  const { channel } = await scene.row(call.identifier);
  expect((await scene.end(by, call, call.identifier, String(channel))).status).toBe(200);
  model.end(call);
}

let begunAt = 0;
/** Sets the service's clock to the model's, so that the real time since then does not count. */
const setClock = async (model: Model) =>
  void (await scene.service.shiftClock(model.now() - (performance.now() - begunAt) / 1000));

/** The deadlines that were written with each change are those of the rows. */
async function deadlinesAgree(students: number[]): Promise<void> {
  const { database } = scene.service.service;
  await database.transact(async (tx) => {
    const calls = await rows<Call>(tx, 'select * from call where student_id = any($1) order by id for share', [
      students,
    ]);
    const kept = await rows<Deadlines & { call_id: number }>(
      tx,
      'select d.* from call_deadline d join call on id = call_id where student_id = any($1)',
      [students],
    );
    for (const call of calls) {
      const due = kept.find(({ call_id: id }) => id === call.id);
      const wanted = deadlinesOf(call);
      // A job that has asked for the balance moves `uncovered_at`.
      const later = wanted?.uncovered_at && (due?.uncovered_at ?? '') > wanted.uncovered_at && due;
      expect(due).toEqual(
        wanted && { call_id: call.id, ...wanted, ...(later && { uncovered_at: later.uncovered_at }) },
      );
    }
  });
}

/** Waits until the jobs are done and nothing is open with wallet, then compares calls and balances. */
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

test(
  `${RUNS} random lives of two students and two teachers: the sum charged is the sum due`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        const [one, two] = [scene.party(400), scene.party(1_000)];
        const cast: Cast = { students: [one.student, two.student], teachers: [one.teacher, two.teacher] };
        const model = createModel({ stepSeconds: STEP_SECONDS, ringSeconds: 45 });
        begunAt = performance.now();
        for (const id of cast.students) model.deposit(id, scene.wallet.balance(id));
        for (const next of steps) {
          await setClock(model);
          await perform(next, model, cast);
          await deadlinesAgree(cast.students);
        }
        await setClock(model);
        for (const call of model.active()) await hangUp(call, 'teacher', model);
        await settle(cast, model);
      }),
      { numRuns: RUNS, endOnFailure: process.env['TEST_SHRINK'] === undefined },
    );
  },
  PATIENCE_MS,
);
