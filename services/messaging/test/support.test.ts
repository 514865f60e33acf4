import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { A_MOMENT_AGO } from '@tutoring/shared/testing/elapsed';
import { user } from '@tutoring/shared/testing/user';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { startMessaging, type Messaging } from './kit.ts';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

let messaging: Messaging;
beforeAll(async () => {
  messaging = await startMessaging();
  await messaging.meet(user(1, 'student', { phone_number: '' }), user(2, 'teacher'), user(3, 'student'));
});
afterAll(() => messaging.stop());

const student = () => messaging.service.api.student(1);
const admin = () => messaging.service.api.admin();
/** Live events without those of the desk. */
const live = async () => (await messaging.service.live()).filter(({ event }) => event !== 'desk.case');
const statuses = (messages: { status: string }[]) => messages.map(({ status }) => status);

describe('a conversation', () => {
  let uuid: string;
  const message = (changes: Record<string, unknown>) => ({
    id: expect.any(Number),
    room_uuid: uuid,
    message: 'Help',
    time: A_MOMENT_AGO,
    status: 'unread',
    type: 'message',
    message_link: null,
    created_at: TIME,
    updated_at: TIME,
    ...changes,
  });

  test('concurrent first requests open one room, which administrators see empty', async () => {
    const open = () => retryWhile503(() => student().get('/api/support/messages'));
    const answers = await Promise.all(Array.from({ length: 4 }, open));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, []]));
    const { status, body } = await admin().get('/api/admin/rooms');
    const who = { id: 1, name: 'Sam 1', email: 'u1@example.com', phone_number: '' };
    expect([status, body]).toEqual([200, [{ uuid: UUID, user: who, last_message: null }]]);
    uuid = body[0].uuid;
    const detail = await admin().get(`/api/admin/rooms/${uuid}`);
    expect([detail.status, detail.body]).toEqual([
      200,
      { uuid, user_id: 1, last_message_at: '', created_at: TIME, updated_at: TIME, messages: [] },
    ]);
    expect(detail.body.updated_at).toBe(detail.body.created_at);
  });

  test('a message of the user is published to administrators and the user, and shown in the room', async () => {
    const sent = await student().post('/api/support/messages', { message: 'Help' });
    expect([sent.status, sent.body]).toEqual([200, message({ sender_id: 1 })]);
    expect(await live()).toEqual([
      { to: 'admins', event: 'support.message', data: sent.body },
      { to: 'user.1', event: 'support.message', data: sent.body },
    ]);
    expect((await admin().get('/api/admin/rooms')).body[0].last_message).toEqual({ ...sent.body, time: A_MOMENT_AGO });
    const detail = (await admin().get(`/api/admin/rooms/${uuid}`)).body;
    expect(detail).toEqual({
      uuid,
      user_id: 1,
      last_message_at: sent.body.created_at,
      created_at: TIME,
      updated_at: sent.body.created_at,
      messages: [{ ...sent.body, time: A_MOMENT_AGO }],
    });
    expect(statuses((await student().get('/api/support/messages')).body)).toEqual(['read']);
  });

  test("an administrator's reply is audited, and marked as read when the user fetches it", async () => {
    const reply = await admin().post(
      `/api/admin/rooms/${uuid}/messages`,
      { message: 'How?' },
      { 'x-request-id': 'r-1' },
    );
    expect([reply.status, reply.body]).toEqual([200, message({ sender_id: 900, message: 'How?' })]);
    expect(await messaging.service.published('admin.acted')).toEqual([
      {
        admin_id: 900,
        admin_name: 'Ada Min',
        action: 'support_message.created',
        subject: `support_message:${reply.body.id}`,
        before: null,
        after: { room_uuid: uuid, user_id: 1, message: 'How?', message_link: null },
        request_id: 'r-1',
        acted_at: reply.body.created_at,
      },
    ]);
    const unread = () => admin().get(`/api/admin/rooms/${uuid}`);
    expect(statuses((await unread()).body.messages)).toEqual(['read', 'unread']);
    expect(statuses((await student().get('/api/support/messages')).body)).toEqual(['read', 'unread']);
    expect(statuses((await unread()).body.messages)).toEqual(['read', 'read']);
    const events = (await live()).map(({ to, event }) => `${event} to ${to}`);
    expect(events).toEqual([
      ...['support.message to admins', 'support.message to user.1'],
      ...['message.read to user.1', 'room.read to admins'],
      ...['support.message to admins', 'support.message to user.1'],
      ...['message.read to admins', 'room.read to user.1'],
    ]);
  });

  test('a new message moves the room to the top; the list can be paged', async () => {
    await messaging.service.api.teacher(2).post('/api/support/messages', { message: 'me too' });
    const users = async (query = '') =>
      (await admin().get(`/api/admin/rooms${query}`)).body.map((room: { user: { id: number } }) => room.user.id);
    expect(await users()).toEqual([2, 1]);
    await admin().post(`/api/admin/rooms/${uuid}/messages`, { message: 'And?' });
    expect(await users()).toEqual([1, 2]);
    expect(await users('?limit=1')).toEqual([1]);
    expect(await users(`?before=${uuid}`)).toEqual([2]);
    expect(await users('?user_id=2')).toEqual([2]);
    expect(await users('?user_id=3')).toEqual([]);
  });

  test('the list can be restricted to unanswered rooms, page by page', async () => {
    const waiting = async (query = '') =>
      (await admin().get(`/api/admin/rooms?unanswered=1${query}`)).body as { uuid: string; user: { id: number } }[];
    const users = async (query = '') => (await waiting(query)).map((room) => room.user.id);
    expect(await users()).toEqual([2]);
    await student().post('/api/support/messages', { message: 'And what?' });
    expect(await users()).toEqual([1, 2]);
    expect(await users(`&limit=1&before=${uuid}`)).toEqual([2]);
    expect(await users('&user_id=2')).toEqual([2]);
    await admin().post(`/api/admin/rooms/${uuid}/messages`, { message: 'That.' });
    expect(await users()).toEqual([2]);
  });

  test('a retry of either side creates no second message', async () => {
    const body = { message: 'again', client_message_id: 'c' };
    const key = { 'idempotency-key': 'k' };
    const ask = () => retryWhile503(() => student().post('/api/support/messages', body));
    const reply = (sent: object, headers?: Record<string, string>) =>
      retryWhile503(() => admin().post(`/api/admin/rooms/${uuid}/messages`, sent, headers));
    const asked = await Promise.all([1, 2, 3].map(ask));
    const replied = await Promise.all([1, 2, 3].map(() => reply(body)));
    const keyed = [await reply({ message: 'k' }, key), await reply({ message: 'k' }, key)];
    for (const answers of [asked, replied, keyed]) {
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
    }
    expect(keyed[1]!.headers.get('idempotent-replayed')).toBe('true');
  });

  test('messages have the same rules as in rooms', async () => {
    for (const body of [
      {},
      { message: 'x'.repeat(5_001) },
      { message_link: 'ftp://x.test' },
      { message: 'x', type: 'poll' },
    ]) {
      expect((await student().post('/api/support/messages', body)).status).toBe(422);
      expect((await admin().post(`/api/admin/rooms/${uuid}/messages`, body)).status).toBe(422);
    }
  });

  test('banned users cannot write; deleted users cannot be written to', async () => {
    await messaging.service.api.student(3).post('/api/support/messages', { message: 'hi' });
    const [room] = (await admin().get('/api/admin/rooms')).body;
    await messaging.meet(user(3, 'student', { status: 'banned', version: 2 }));
    expect((await messaging.service.api.student(3).post('/api/support/messages', { message: 'x' })).status).toBe(403);
    expect((await admin().post(`/api/admin/rooms/${room.uuid}/messages`, { message: 'why' })).status).toBe(200);
    await messaging.meet(user(3, 'student', { deleted: true, name: 'Deleted user', version: 3 }));
    expect((await admin().post(`/api/admin/rooms/${room.uuid}/messages`, { message: 'x' })).status).toBe(409);
    expect((await admin().get('/api/admin/rooms')).body[0].user.name).toBe('Deleted user');
  });

  test('the room of a deleted user does not count as unanswered', async () => {
    const waiting = async () =>
      (await admin().get('/api/admin/rooms?unanswered=1')).body.map((room: { user: { id: number } }) => room.user.id);
    await messaging.meet(user(4, 'student'));
    await messaging.service.api.student(4).post('/api/support/messages', { message: 'hi' });
    expect(await waiting()).toContain(4);
    await messaging.meet(user(4, 'student', { deleted: true, version: 2 }));
    expect(await waiting()).not.toContain(4);
  });
});

describe('permissions', () => {
  const unknown = '3f0c7f3e-9a53-4d59-8a51-2f6c6f7d1b11';

  test.each([unknown, 'x', '1'])('room %s does not exist', async (uuid) => {
    const answers = [
      await admin().get(`/api/admin/rooms/${uuid}`),
      await admin().post(`/api/admin/rooms/${uuid}/messages`, { message: 'x' }),
    ];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([404, { code: 'not_found', message: 'Room not found.' }]);
  });

  test('a chat room is not a support room, and vice versa', async () => {
    const { uuid } = await messaging.pair(1, 2);
    expect((await admin().get(`/api/admin/rooms/${uuid}`)).status).toBe(404);
    const [room] = (await admin().get('/api/admin/rooms')).body;
    expect((await student().get(`/api/rooms/${room.uuid}/messages`)).status).toBe(404);
  });

  test("only administrators may use the administrators' routes", async () => {
    const paths = ['/api/admin/rooms', `/api/admin/rooms/${unknown}`];
    for (const path of paths) {
      expect((await student().get(path)).status).toBe(403);
      expect((await messaging.service.api.anonymous.get(path)).status).toBe(401);
    }
    expect((await student().post(`/api/admin/rooms/${unknown}/messages`, { message: 'x' })).status).toBe(403);
  });
});

test('statistics count rooms and messages exactly', async () => {
  const { service } = messaging;
  const { uuid } = await messaging.pair(1, 2);
  const stats = async () => (await service.api.service('identity').get('/internal/stats')).body;
  const before = await stats();
  await student().post(`/api/rooms/${uuid}/messages`, { message: 'counted' });
  expect(await stats()).toEqual({ rooms: before.rooms, messages: before.messages + 1 });
  await service.runJob('tallies');
  await student().post(`/api/rooms/${uuid}/messages`, { message: 'also' });
  expect(await stats()).toEqual({ rooms: before.rooms, messages: before.messages + 2 });
  expect((await student().get('/internal/stats')).status).toBe(403);
});

test('messages per UTC day are exact', async () => {
  const { service } = messaging;
  const { uuid } = await messaging.pair(1, 2);
  await service.asOwner(`insert into message (room_uuid, sender_id, message, type, created_at)
    select '${uuid}', 1, 'x', 'text', at from unnest(array['2020-12-31T23:59:59.999999Z', '2021-01-01T00:00:00Z',
      '2021-01-03T00:00:00Z', '2021-01-03T23:59:59Z', '2021-01-04T00:00:00Z']::timestamptz[]) as at`);
  expect(
    (await service.api.service('identity').get('/internal/stats/days?from=2021-01-01&to=2021-01-03')).body,
  ).toEqual([
    { date: '2021-01-01', messages: 1 },
    { date: '2021-01-03', messages: 2 },
  ]);
});

describe('reading', () => {
  test("a read is published to the reader's other devices, with the number of unread messages", async () => {
    await messaging.meet(user(70, 'teacher'));
    const reader = messaging.service.api.teacher(70);
    const ids: number[] = [];
    const own: number[] = [];
    for (const text of ['a', 'b', 'c'])
      own.push((await reader.post('/api/support/messages', { message: text })).body.id);
    const [{ uuid: room }] = (await admin().get('/api/admin/rooms?user_id=70')).body;
    for (const text of ['d', 'e', 'f'])
      ids.push((await admin().post(`/api/admin/rooms/${room}/messages`, { message: text })).body.id);
    await reader.get(`/api/support/messages?before=${ids[1]}`);
    await reader.get('/api/support/messages');
    await reader.get('/api/support/messages');
    await admin().get(`/api/admin/rooms/${room}?before=${own[2]}`);
    await admin().get(`/api/admin/rooms/${room}`);
    const events = (await messaging.service.live()).filter(
      ({ event, data }) => event === 'room.read' && data['room_uuid'] === room,
    );
    expect(events.map(({ to, data }) => [to, data['up_to'], data['unread']])).toEqual([
      ['user.70', ids[0], 2],
      ['user.70', ids[2], 0],
      ['admins', own[1], 1],
      ['admins', own[2], 0],
    ]);
  });
});
