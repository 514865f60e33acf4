import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene({ RTC_UID: 'user' });
});
afterAll(async () => {
  await scene.stop();
});

test('with RTC_UID=user each participant gets their own token, and no token is stored', async () => {
  const party = scene.party();
  const rung = await scene.init(party);
  const accepted = await scene.accept(party);
  const { identifier } = accepted.body.transaction as { identifier: string };
  const renewed = await scene.service.api.student(party.student).post('/api/call/token', { identifier });
  const internal = scene.service.api.service('messaging');
  const inCall = await internal.post('/internal/live-calls', { user_ids: [party.student, party.teacher] });
  // The request of messaging 1.0.
  const room = `/internal/rooms/${rung.body.channel}/token`;
  const [forNobody, inRoom] = [await internal.get(room), await internal.get(`${room}?user_id=${party.student}`)];
  expect(forNobody.body).toEqual({ rtc_token: null });
  const answers = [...[rung, accepted, renewed, inRoom].map(({ body }) => body), ...inCall.body];
  const tokens = answers.map(({ token, rtc_token }) => (token ?? rtc_token) as string);
  expect(new Set(tokens).size).toBe(6);
  for (const token of tokens) expect(token).toMatch(/^007/);
  expect(await scene.row(identifier)).toMatchObject({ rtc_token: null });
});
