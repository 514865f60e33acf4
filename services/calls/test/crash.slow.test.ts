import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReplica } from '@tutoring/shared/testing/replica';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

/** A second replica on the scene's database. */
const startSecond = () => startReplica(scene.service, new URL('../src/main.ts', import.meta.url));

test('when a replica dies between the charge and its commit, another one records the charge, which is made once', async () => {
  const party = scene.party();
  const replica = await startSecond();
  const { identifier, channel } = await scene.begin(party);
  scene.wallet.after('/internal/charges/batch', replica.kill);
  await expect(replica.api.teacher(party.teacher).post('/api/call/bill', { identifier })).rejects.toThrow();
  await replica.exited;
  expect(scene.wallet.charges(identifier)).toHaveLength(1);
  expect(await scene.row(identifier)).toMatchObject({ steps: 0, steps_due: 1 });

  await scene.resume(identifier);
  await eventually('the step is recorded', async () => (await scene.row(identifier))['steps'] === 1);
  await scene.end('student', party, identifier, channel);
  await eventually('the call is settled', async () => (await scene.row(identifier))['settled'] === true);
  expect(scene.wallet.charges(identifier)).toHaveLength(1);
  expect([scene.wallet.balance(party.student), scene.wallet.held(party.student)]).toEqual([9_850, 0]);
});

test('when a replica dies between the hold and its commit, the teacher can accept again at another one', async () => {
  const party = scene.party();
  const replica = await startSecond();
  expect((await retryWhile503(() => scene.init(party))).status).toBe(200);
  scene.wallet.after('/internal/holds', replica.kill);
  const dying = replica.api.teacher(party.teacher);
  const body = { student_user_id: party.student, call_type: 'video' };
  await expect(dying.post('/api/call/accept', body)).rejects.toThrow();
  await replica.exited;
  expect(scene.wallet.held(party.student)).toBe(150);

  expect((await retryWhile503(() => scene.accept(party))).status).toBe(200);
  expect(scene.wallet.held(party.student)).toBe(150);
});
