import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { person, startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

test.each([
  ['the student is banned', 'student', { status: 'banned' }, 403],
  ['the student is deleted', 'student', { deleted: true }, 403],
  ['the teacher is banned', 'teacher', { status: 'banned' }, 409],
  ['the teacher is deleted', 'teacher', { deleted: true }, 422],
] as const)('init does not ring when %s during its request to wallet', async (_name, who, change, status) => {
  for (const money of [10_000, 0]) {
    const party = scene.party(money);
    scene.wallet.before(`/internal/balances/${party.student}`, () =>
      scene.service.receive('user.changed', person(party[who], who, { ...change, version: 2 })),
    );
    expect((await scene.init(party)).status).toBe(status);
    expect(await scene.service.rows('select from call where student_id = $1', [party.student])).toEqual([]);
  }
});
