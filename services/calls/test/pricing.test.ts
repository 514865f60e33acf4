import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(async () => {
  await scene.stop();
});

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const su = () => scene.service.api.admin('su');
const chat = (changes: Record<string, unknown> = {}) => ({
  name: 'CHAT',
  iterator: '30',
  base_cost: 0,
  iterator_cost: 10,
  ...changes,
});

test('GET api/services is public and returns the seeded services, with numbers as strings', async () => {
  const answer = await scene.service.api.anonymous.get('/api/services');
  const at = { created_at: ISO, updated_at: ISO };
  expect([answer.status, answer.body]).toEqual([
    200,
    [
      { id: 1, name: 'VIDEO', iterator: '60', base_cost: '100', iterator_cost: '50', ...at },
      { id: 2, name: 'AUDIO', iterator: '60', base_cost: '50', iterator_cost: '25', ...at },
    ],
  ]);
});

test('a second start seeds nothing', async () => {
  await scene.service.restart();
  expect((await scene.service.api.anonymous.get('/api/services')).body).toHaveLength(2);
  expect(await scene.service.published('service.changed')).toHaveLength(2);
});

describe('the super administrator', () => {
  test('adds, changes and deletes a service; each change is published and audited', async () => {
    const created = await su().post('/api/admin/services', chat());
    const { id } = created.body as { id: number };
    expect(created.body).toEqual({
      id,
      name: 'CHAT',
      iterator: '30',
      base_cost: '0',
      iterator_cost: '10',
      created_at: ISO,
      updated_at: ISO,
    });
    const updated = await su().put(`/api/admin/services/${id}`, { iterator: 45 });
    expect(updated.body).toMatchObject({ id, name: 'CHAT', iterator: '45', iterator_cost: '10' });
    for (const same of [{}, { iterator: 45 }, { name: 'CHAT', base_cost: '0' }])
      expect((await su().put(`/api/admin/services/${id}`, same)).body).toEqual(updated.body);
    const deleted = await su().delete(`/api/admin/services/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { message: 'The service has been deleted.' }]);
    expect((await su().delete(`/api/admin/services/${id}`)).status).toBe(404);
    expect((await scene.service.api.anonymous.get('/api/services')).body).toHaveLength(2);

    const changes = (await scene.service.published('service.changed')).filter((event) => event.id === id);
    expect(changes.map(({ version, iterator, deleted: gone }) => [version, iterator, gone])).toEqual([
      [1, 30, false],
      [2, 45, false],
      [3, 45, true],
    ]);
    const acts = (await scene.service.published('admin.acted')).filter((act) => act.subject === `service:${id}`);
    expect(acts.map(({ action, before, after }) => [action, before?.['iterator'], after?.['iterator']])).toEqual([
      ['service.created', undefined, '30'],
      ['service.updated', '30', '45'],
      ['service.deleted', '45', undefined],
    ]);
    expect(acts[0]).toMatchObject({ admin_id: 900, admin_name: 'Ada Min', before: null });
  });

  test.each([
    ['with a taken name', chat({ name: 'video' }), 'The name has already been taken.'],
    [
      'with a taken name and too short a step',
      chat({ name: 'video', iterator: 1 }),
      'The name has already been taken. (and 1 more error)',
    ],
    ['without a name', chat({ name: '' }), 'The name field is required.'],
    ['with too short a step', chat({ iterator: 1 }), 'The iterator field must be at least 2.'],
    ['with too long a step', chat({ iterator: 3601 }), 'The iterator field must not be greater than 3600.'],
    ['with a negative cost', chat({ base_cost: -1 }), 'The base cost field must be at least 0.'],
    ['with a fraction as cost', chat({ iterator_cost: 1.5 }), 'The iterator cost field must be an integer.'],
  ])('gets a 422 for a service %s', async (_name, body, message) => {
    const answer = await su().post('/api/admin/services', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('can change the price of a service that calls need, but not rename or delete it', async () => {
    expect((await su().put('/api/admin/services/1', { base_cost: 100 })).status).toBe(200);
    expect((await su().put('/api/admin/services/1', { name: 'FILM' })).status).toBe(409);
    expect((await su().delete('/api/admin/services/2')).status).toBe(409);
  });

  test.each([['999999'], ['x'], ['0'], ['99999999999999999999']])(
    'gets a 404 for the unknown service %s',
    async (id) => {
      expect((await su().put(`/api/admin/services/${id}`, {})).status).toBe(404);
    },
  );
});

test.each([
  ['nobody', 'anonymous', 401],
  ['a student', 'student', 403],
  ['an ordinary administrator', 'default', 403],
])('%s cannot add a service', async (_name, who, status) => {
  const { api } = scene.service;
  const client = who === 'student' ? api.student(1) : who === 'default' ? api.admin() : api.anonymous;
  expect((await client.post('/api/admin/services', chat())).status).toBe(status);
});
