import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

const SERVICE = ['id', 'name', 'iterator', 'base_cost', 'iterator_cost', 'created_at', 'updated_at'];
const TRANSACTION = [
  ...['id', 'identifier', 'service_id', 'student_id', 'teacher_id', 'plan_id', 'total_cost', 'total_duration'],
  ...['created_at', 'updated_at', 'teacher', 'service', 'plan'],
];
const TEACHER = [
  ...['id', 'name', 'plan_id', 'domains', 'experience', 'availability', 'bio', 'verified', 'created_at', 'updated_at'],
  'transactions_count',
];
const PLAN = ['id', 'name', 'points', 'image_cost', 'created_at', 'updated_at'];

test('the keys of the answers to init and accept are in the order of the specification', async () => {
  const party = scene.party();
  expect(Object.keys(JSON.parse((await scene.init(party)).text))).toEqual(['message', 'channel', 'token']);
  const accepted = JSON.parse((await scene.accept(party)).text);
  expect(Object.keys(accepted)).toEqual(['transaction', 'service', 'channel', 'token']);
  expect(Object.keys(accepted.transaction)).toEqual(TRANSACTION);
  expect(Object.keys(accepted.transaction.teacher)).toEqual(TEACHER);
  expect(Object.keys(accepted.transaction.service)).toEqual(SERVICE);
  expect(Object.keys(accepted.transaction.plan)).toEqual(PLAN);
  expect(Object.keys(accepted.service)).toEqual(SERVICE);
});

test('the keys of a service are in the order of the specification', async () => {
  const { student } = scene.party();
  const { text } = await scene.service.api.student(student).get('/api/services');
  expect(Object.keys(JSON.parse(text)[0])).toEqual(SERVICE);
});
