import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { user } from '@tutoring/shared/testing/user';
import { startMessaging, uuidOf, type Messaging } from './kit.ts';

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
});
afterAll(() => messaging.stop());

describe('permissions', () => {
  const uuid = uuidOf(20, 21);
  beforeAll(async () => {
    const { student } = await messaging.pair(20, 21);
    await student.post(`/api/rooms/${uuid}/messages`, { message: 'private' });
    await messaging.meet(user(22, 'student'), user(23, 'teacher'));
  });

  const routes = [
    ['GET', `/api/rooms/${uuid}`],
    ['GET', `/api/rooms/${uuid}/messages`],
    ['POST', `/api/rooms/${uuid}/messages`],
    ['POST', `/api/rooms/${uuid}/read`],
  ] as const;
  const ask = (who: 'student' | 'teacher', id: number, method: string, path: string) => {
    const api = messaging.service.api[who](id);
    return method === 'GET' ? api.get(path) : api.post(path, { message: 'x' });
  };

  test.each(routes)(
    '%s %s is allowed for both participants; for others the room does not exist',
    async (method, path) => {
      expect((await ask('student', 20, method, path)).status).toBe(200);
      expect((await ask('teacher', 21, method, path)).status).toBe(200);
      const unknown = await ask('student', 20, method, path.replace(uuid, uuidOf(1_000, 1_001)));
      expect([unknown.status, unknown.body]).toEqual([404, { code: 'not_found', message: 'Room not found.' }]);
      for (const [who, id] of [
        ['student', 22],
        ['teacher', 23],
      ] as const) {
        const foreign = await ask(who, id, method, path);
        expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
      }
      const malformed = await ask('student', 20, method, path.replace(uuid, 'not-a-uuid'));
      expect([malformed.status, malformed.text]).toEqual([404, unknown.text]);
    },
  );

  test.each([
    ...routes,
    ['GET', '/api/rooms'],
    ['POST', '/api/rooms'],
    ['GET', '/api/support/messages'],
    ['POST', '/api/support/messages'],
  ] as const)('%s %s answers 401 without a token and 403 to an administrator', async (method, path) => {
    const { anonymous } = messaging.service.api;
    const admin = messaging.service.api.admin('su');
    const both =
      method === 'GET'
        ? [await anonymous.get(path), await admin.get(path)]
        : [await anonymous.post(path, {}), await admin.post(path, {})];
    expect(both.map(({ status }) => status)).toEqual([401, 403]);
  });

  test('only students can open rooms', async () => {
    expect((await messaging.service.api.teacher(21).post('/api/rooms', { teacher_id: 23 })).status).toBe(403);
  });

  test('other users neither see the room nor receive its events', async () => {
    expect((await messaging.service.api.student(22).get('/api/rooms')).body).toEqual([]);
    const events = (await messaging.service.live()).filter(({ to }) => to === 'user.22' || to === 'user.23');
    expect(events).toEqual([]);
  });

  test('a banned user can neither send nor receive messages; the room of a deleted user stays, under a pseudonym', async () => {
    const { uuid: theirs, student, teacher } = await messaging.pair(30, 31);
    await messaging.meet(user(30, 'student', { status: 'banned', version: 2 }));
    expect((await student.post(`/api/rooms/${theirs}/messages`, { message: 'x' })).status).toBe(403);
    const refused = await teacher.post(`/api/rooms/${theirs}/messages`, { message: 'x' });
    expect([refused.status, refused.body.message]).toEqual([409, 'This person can no longer receive messages.']);
    await messaging.meet(user(30, 'student', { version: 3 }));
    expect((await student.post(`/api/rooms/${theirs}/messages`, { message: 'back' })).status).toBe(200);
    const gone = { deleted: true, name: 'Deleted user', email: 'deleted-30@invalid', phone_number: '', version: 4 };
    await messaging.meet(user(30, 'student', gone));
    expect((await teacher.post(`/api/rooms/${theirs}/messages`, { message: 'x' })).status).toBe(409);
    const [room] = (await teacher.get('/api/rooms')).body;
    expect(room.student).toMatchObject({ name: 'Deleted user', email: 'deleted-30@invalid' });
    expect((await teacher.get(`/api/rooms/${theirs}`)).body[0].sender.name).toBe('Deleted user');
  });

  test("the service's database user can neither change nor delete messages", async () => {
    for (const statement of [
      `update message set message = 'x'`,
      'delete from message',
      'delete from room',
      'delete from support_message',
    ])
      await expect(messaging.service.rows(statement)).rejects.toThrow('permission denied');
  });
});

test('the reference describes every public route', async () => {
  const { body } = await messaging.service.api.anonymous.get('/internal/openapi.json');
  const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(described.sort()).toEqual([
    'delete /api/admin/desk/notes/{note_id}',
    'delete /api/admin/desk/replies/{id}',
    'delete /api/blocks/{user_id}',
    'get /api/admin/desk/agents',
    'get /api/admin/desk/cases/{id}',
    'get /api/admin/desk/counts',
    'get /api/admin/desk/replies',
    'get /api/admin/desk/replies/{id}',
    'get /api/admin/desk/stats',
    'get /api/admin/reports/{id}',
    'get /api/admin/rooms',
    'get /api/admin/rooms/{uuid}',
    'get /api/blocks',
    'get /api/files/{key}',
    'get /api/rooms',
    'get /api/rooms/unread',
    'get /api/rooms/{uuid}',
    'get /api/rooms/{uuid}/messages',
    'get /api/support/messages',
    'post /api/admin/desk/cases',
    'post /api/admin/desk/cases/{id}/notes',
    'post /api/admin/desk/casesall',
    'post /api/admin/desk/replies',
    'post /api/admin/desk/replies/{id}/render',
    'post /api/admin/reportsall',
    'post /api/admin/rooms/{uuid}/files',
    'post /api/admin/rooms/{uuid}/messages',
    'post /api/reports',
    'post /api/rooms',
    'post /api/rooms/{uuid}/files',
    'post /api/rooms/{uuid}/messages',
    'post /api/rooms/{uuid}/read',
    'post /api/support/files',
    'post /api/support/messages',
    'post /api/support/rating',
    'put /api/admin/desk/cases/{id}',
    'put /api/admin/desk/notes/{note_id}',
    'put /api/admin/desk/presence',
    'put /api/admin/desk/replies/{id}',
    'put /api/admin/reports/{id}',
    'put /api/blocks/{user_id}',
  ]);
  expect(body.components.schemas).toHaveProperty('Message');
});
