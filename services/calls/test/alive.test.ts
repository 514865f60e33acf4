import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { addMicroseconds, SECOND_US } from '../src/call/call.ts';
import { startScene, type Party, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

let version = 0;
const require = (value: 0 | 1) =>
  scene.service.receive('setting.changed', { name: 'require_student_alive', value, version: (version += 1) });

/** Begins a call with or without required signs of life, and sets the clock to its acceptance. */
async function begin(required: 0 | 1) {
  await scene.service.shiftClock(0);
  await require(required);
  const parties = scene.party();
  const call = await scene.begin(parties);
  await require(0);
  return { parties, ...call };
}
const at = (seconds: number) => scene.service.shiftClock(seconds);

/** The call after the jobs have ended and settled it. */
async function settled(identifier: string) {
  await eventually('the call is settled', async () => (await scene.row(identifier))['settled']);
  const { ended_by, steps, total_cost, total_duration, accepted_at, ended_at } = await scene.row(identifier);
  const seconds = (Date.parse(String(ended_at)) - Date.parse(String(accepted_at))) / 1_000;
  return { ended_by, steps, total_cost, total_duration, seconds: Math.round(seconds) };
}
const chargesOf = async ({ teacher }: Party, identifier: string) => {
  expect((await scene.bill({ teacher }, identifier)).status).toBe(200);
  return scene.wallet.charges(identifier).length;
};

test('a call whose student stops giving signs of life ends by silence, even if its teacher keeps billing', async () => {
  const { parties, identifier } = await begin(0);
  expect((await scene.alive(parties, identifier)).body).toEqual([]);
  await at(65);
  await scene.bill(parties, identifier);
  await at(100);
  expect((await scene.alive(parties, identifier)).status).toBe(200);
  for (const seconds of [125, 185]) {
    await at(seconds);
    await scene.bill(parties, identifier);
  }
  await at(240);
  expect((await scene.bill(parties, identifier)).status).toBe(409);
  expect((await scene.alive(parties, identifier)).status).toBe(409);
  // Four steps are charged; the call lapsed 120 seconds after the last sign of life.
  expect(await settled(identifier)).toMatchObject({
    ended_by: 'silence',
    steps: 4,
    total_cost: 300,
    total_duration: 240,
  });
  const { alive_at, ended_at } = await scene.row(identifier);
  expect(ended_at).toBe(addMicroseconds(String(alive_at), 120 * SECOND_US));
  const liveEvents = await scene.service.live();
  const [ended] = liveEvents.filter(({ event, data }) => event === 'call.ended' && data['identifier'] === identifier);
  expect(ended!.data).toMatchObject({ reason: 'silence', total_duration: 240 });
});

test('a job ends the call of a student who has left, without any request', async () => {
  const { parties, identifier } = await begin(0);
  await scene.alive(parties, identifier);
  await at(65);
  await scene.bill(parties, identifier);
  await at(121);
  expect(await settled(identifier)).toMatchObject({
    ended_by: 'silence',
    steps: 2,
    total_cost: 200,
    total_duration: 120,
  });
});

test('a call of an app without signs of life continues as long as it is billed', async () => {
  const { parties, identifier, channel } = await begin(0);
  for (const seconds of [5, 65, 125, 185]) {
    await at(seconds);
    expect((await scene.bill(parties, identifier)).status).toBe(200);
  }
  await scene.end('student', parties, identifier, channel);
  expect(await settled(identifier)).toMatchObject({ ended_by: 'student', steps: 4, total_cost: 300 });
});

test('where signs of life are required, no step is charged before the first one, and then all due steps are', async () => {
  const { parties, identifier, channel } = await begin(1);
  expect(await chargesOf(parties, identifier)).toBe(0);
  await at(65);
  expect(await chargesOf(parties, identifier)).toBe(0);
  await scene.alive(parties, identifier);
  expect(await chargesOf(parties, identifier)).toBe(2);
  await scene.end('teacher', parties, identifier, channel);
  expect(await settled(identifier)).toMatchObject({ ended_by: 'teacher', steps: 2, total_cost: 200 });
});

test('where signs of life are required and none is given, the call ends by silence at a cost of 0', async () => {
  const { parties, identifier } = await begin(1);
  await at(70);
  expect(await chargesOf(parties, identifier)).toBe(0);
  await at(121);
  expect(await settled(identifier)).toEqual({
    ended_by: 'silence',
    steps: 0,
    total_cost: 0,
    total_duration: 0,
    seconds: 0,
  });
  expect([scene.wallet.charges(identifier), scene.wallet.held(parties.student)]).toEqual([[], 0]);
  expect((await scene.alive(parties, identifier)).status).toBe(409);
});

test.each(['student', 'teacher'] as const)(
  'a call that its %s ends before a required sign of life is free',
  async (who) => {
    const { parties, identifier, channel, lasted } = await begin(1);
    await at(30);
    await scene.end(who, parties, identifier, channel);
    expect(await settled(identifier)).toMatchObject({
      ended_by: who,
      steps: 0,
      total_cost: 0,
      total_duration: lasted(30),
    });
    expect(scene.wallet.held(parties.student)).toBe(0);
  },
);

test('a change of require_student_alive does not affect accepted calls', async () => {
  const { parties, identifier, channel } = await begin(0);
  await require(1);
  expect(await chargesOf(parties, identifier)).toBe(1);
  await require(0);
  await scene.end('teacher', parties, identifier, channel);
});

test('only the student of a live call can give a sign of life', async () => {
  await at(0);
  const parties = scene.party();
  await scene.init(parties);
  const [ringing] = (await scene.service.api.student(parties.student).get('/api/calls')).body as {
    identifier: string;
  }[];
  const { identifier } = ringing!;
  // Before the acceptance it has no effect.
  expect((await scene.alive(parties, identifier)).body).toEqual([]);
  expect((await scene.row(identifier))['alive_at']).toBeNull();
  expect((await scene.alive(scene.party(), identifier)).status).toBe(404);
  expect((await scene.alive(parties, 'unknown')).status).toBe(404);
  expect((await scene.alive(parties, '')).status).toBe(422);
  const asTeacher = scene.service.api.teacher(parties.teacher).post('/api/call/alive', { identifier });
  expect((await asTeacher).status).toBe(403);
  await scene.cancel(parties);
  expect((await scene.alive(parties, identifier)).status).toBe(409);
});

test('concurrent signs of life, bills and ends charge each step once and end the call once', async () => {
  const { parties, identifier, channel } = await begin(1);
  await scene.alive(parties, identifier);
  await at(62);
  const five = <Answer>(send: () => Promise<Answer>) => Promise.all(Array.from({ length: 5 }, send));
  const [signs, bills, ends] = await Promise.all([
    five(() => retryWhile503(() => scene.alive(parties, identifier))),
    five(() => scene.bill(parties, identifier)),
    five(() => retryWhile503(() => scene.end('student', parties, identifier, channel))),
  ]);
  const refused = (answers: { status: number }[]) =>
    answers.map(({ status }) => status).filter((status) => status !== 200);
  expect(refused(ends)).toEqual([]);
  expect(refused(signs).filter((status) => status !== 409)).toEqual([]);
  // A bill whose step another request charges may time out.
  expect(refused(bills).filter((status) => status !== 409 && status !== 503)).toEqual([]);
  expect(await settled(identifier)).toMatchObject({ ended_by: 'student', steps: 2, total_cost: 200 });
  expect(scene.wallet.charges(identifier)).toHaveLength(2);
});
