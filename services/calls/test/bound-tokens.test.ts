import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ RTC_UID: 'user' });
});
afterAll(async () => {
  await scene.stop();
});

test('RTC_UID=user: each person gets their own token, and none is stored', async () => {
  const party = scene.party();
  const rung = await scene.init(party);
  const accepted = await scene.accept(party);
  const { identifier } = accepted.body.transaction as { identifier: string };
  const renewed = await scene.service.api.student(party.student).post('/api/call/token', { identifier });
  const internal = scene.service.api.service('messaging');
  const forStudent = await internal.get(`/internal/users/${party.student}/live-call`);
  const tokens = [rung, accepted, renewed].map(({ body }) => body.token as string);
  expect(new Set([...tokens, forStudent.body.rtc_token]).size).toBe(4);
  for (const token of tokens) expect(token).toMatch(/^007/);
  expect(await scene.row(identifier)).toMatchObject({ rtc_token: null });
});
