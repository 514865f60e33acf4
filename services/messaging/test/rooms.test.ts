import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { A_MOMENT_AGO } from '@tutoring/shared/testing/elapsed';
import { user } from '@tutoring/shared/testing/user';
import { eventually } from '@tutoring/shared/testing/wait';
import { AVATAR, call, startMessaging, startFakeService, uuidOf, type Messaging } from './kit.ts';

type Neighbour = Awaited<ReturnType<typeof startFakeService>>;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

let identity: Neighbour;
let calls: Neighbour;
let messaging: Messaging;
beforeAll(async () => {
  identity = await startFakeService({});
  calls = await startFakeService({});
  messaging = await startMessaging({ IDENTITY_URL: identity.url, CALLS_URL: calls.url });
  await messaging.meet(
    user(1, 'student', { level_study: 'Terminale', subjects_interest: 'Maths', photo: 'http://x.test/1.png' }),
    user(2, 'teacher', { availability: 'Evenings' }),
    user(3, 'teacher'),
  );
});
afterAll(async () => {
  await messaging.stop();
  await identity.stop();
  await calls.stop();
});

const room = (changes: Record<string, unknown> = {}) => ({
  uuid: uuidOf(1, 2),
  rtc_token: null,
  student: {
    id: 1,
    name: 'Sam 1',
    email: 'u1@example.com',
    level_study: 'Terminale',
    subjects_interest: 'Maths',
    photo: 'http://x.test/1.png',
  },
  teacher: {
    id: 2,
    name: 'Tara 2',
    email: 'u2@example.com',
    domains: 'Maths, Physics',
    experience: 4,
    availability: 'Evenings',
    photo: AVATAR,
  },
  last_message: null,
  created_at: TIME,
  updated_at: TIME,
  ...changes,
});

describe('POST api/rooms', () => {
  test('opens the room of the pair and publishes it to both', async () => {
    const { service } = messaging;
    const opened = await service.api.student(1).post('/api/rooms', { teacher_id: '2' });
    expect([opened.status, opened.body]).toEqual([200, room()]);
    expect((await service.published('room.changed')).at(-1)).toEqual({
      uuid: uuidOf(1, 2),
      student_id: 1,
      teacher_id: 2,
      version: 1,
      created_at: opened.body.created_at,
      updated_at: opened.body.created_at,
    });
    const events = (await service.live()).filter(({ event }) => event === 'room.created');
    expect(events).toEqual([
      { to: 'user.1', event: 'room.created', data: room() },
      { to: 'user.2', event: 'room.created', data: room() },
    ]);
  });

  test('returns the existing room, also to concurrent requests, and publishes it once', async () => {
    const { service } = messaging;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => service.api.student(1).post('/api/rooms', { teacher_id: 3 })),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.uuid}`))).toEqual(
      new Set([`200 ${uuidOf(1, 3)}`]),
    );
    const events = (await service.published('room.changed')).filter((event) => event.teacher_id === 3);
    expect(events).toHaveLength(1);
  });

  test.each([
    ['no teacher id', {}, 'The teacher id field is required.'],
    ['a text', { teacher_id: 'two' }, 'The teacher id field must be an integer.'],
    ['zero', { teacher_id: 0 }, 'The selected teacher id is invalid.'],
    ['a negative number', { teacher_id: '-1' }, 'The selected teacher id is invalid.'],
    ['a number that is too large', { teacher_id: 1e20 }, 'The selected teacher id is invalid.'],
    ['a fraction', { teacher_id: 1.5 }, 'The teacher id field must be an integer.'],
    ['an unknown teacher', { teacher_id: 404 }, 'The selected teacher id is invalid.'],
    ['a student', { teacher_id: 1 }, 'The selected teacher id is invalid.'],
    ['a number above all ids', { teacher_id: 9_007_199_254_740_991 }, 'The selected teacher id is invalid.'],
  ])('%s is refused with a 422', async (_name, body, message) => {
    const answer = await messaging.service.api.student(1).post('/api/rooms', body);
    expect([answer.status, answer.body]).toEqual([
      422,
      { code: 'invalid', message, errors: { teacher_id: [message] } },
    ]);
  });

  test('a banned or deleted teacher is refused with a 422', async () => {
    await messaging.meet(user(41, 'teacher', { status: 'banned' }), user(42, 'teacher', { deleted: true }));
    for (const teacher_id of [41, 42]) {
      const answer = await messaging.service.api.student(1).post('/api/rooms', { teacher_id });
      expect([answer.status, answer.body.message]).toEqual([422, 'The selected teacher id is invalid.']);
    }
  });

  test('reads people without a local copy from identity, once', async () => {
    identity.answers['/internal/users/51'] = user(51, 'student');
    identity.answers['/internal/users/52'] = user(52, 'teacher');
    const opened = await messaging.service.api.student(51).post('/api/rooms', { teacher_id: 52 });
    expect([opened.status, opened.body.teacher.name]).toEqual([200, 'Tara 52']);
    await messaging.service.api.student(51).get('/api/rooms');
    expect(identity.asked.filter((path) => path.endsWith('/52'))).toHaveLength(1);
  });
});

describe('GET api/rooms', () => {
  test('shows both sides the same room, with its last message', async () => {
    const { service } = messaging;
    const sent = await service.api.teacher(2).post(`/api/rooms/${uuidOf(1, 2)}/messages`, { message: 'Hello' });
    const expected = room({ last_message: { ...sent.body, time: A_MOMENT_AGO } });
    const forTeacher = await service.api.teacher(2).get('/api/rooms');
    expect([forTeacher.status, forTeacher.body]).toEqual([200, [expected]]);
    const forStudent = await service.api.student(1).get('/api/rooms');
    expect(forStudent.body.find((listed: { uuid: string }) => listed.uuid === uuidOf(1, 2))).toEqual(expected);
    expect(forStudent.body[0].updated_at).toBe(sent.body.created_at);
  });

  test('lists the latest activity first', async () => {
    const { service } = messaging;
    const order = async () =>
      (await service.api.student(1).get('/api/rooms')).body.map((one: { uuid: string }) => one.uuid);
    await service.api.student(1).post(`/api/rooms/${uuidOf(1, 3)}/messages`, { message: 'up' });
    expect(await order()).toEqual([uuidOf(1, 3), uuidOf(1, 2)]);
    await service.api.student(1).post(`/api/rooms/${uuidOf(1, 2)}/messages`, { message: 'and up' });
    expect(await order()).toEqual([uuidOf(1, 2), uuidOf(1, 3)]);
  });

  test('returns the 200 rooms with the latest activity; further ones with `before` and `limit`', async () => {
    const { service } = messaging;
    // Every two rooms share a timestamp.
    await service.asOwner(
      `insert into room (uuid, student_id, teacher_id, updated_at)
       select lpad(n::text, 32, '0')::uuid, 3000, 3000 + n, timestamptz '2026-01-01' - n / 2 * interval '1 minute'
       from generate_series(1, 205) n`,
    );
    await messaging.meet(user(3000, 'student'), user(3001, 'teacher'));
    await service.asOwner(
      `insert into user_copy select (jsonb_populate_record(user_copy, jsonb_build_object('id', 3000 + n))).*
       from user_copy, generate_series(2, 205) n where id = 3001`,
    );
    const get = (query: string) => service.api.student(3000).get(`/api/rooms${query}`);
    const read = async (query: string) => (await get(query)).body.map((one: { uuid: string }) => one.uuid);
    const all = Array.from({ length: 205 }, (_, n) => `00000000-0000-0000-0000-${String(n + 1).padStart(12, '0')}`);
    expect(await read('')).toEqual(all.slice(0, 200));
    expect(await read('?limit=1000')).toEqual(all.slice(0, 200));
    expect(await read(`?before=${all[199]}`)).toEqual(all.slice(200));
    expect(await read(`?before=${all[1]}&limit=3`)).toEqual(all.slice(2, 5));
    expect(await read(`?before=${all[204]}`)).toEqual([]);
    const foreign = await get(`?before=${uuidOf(1, 2)}`);
    expect([foreign.status, foreign.body.errors]).toEqual([422, { before: ['The selected before is invalid.'] }]);
  });

  test('returns an empty array to a user without rooms', async () => {
    const answer = await messaging.service.api.teacher(2_000).get('/api/rooms');
    expect([answer.status, answer.body]).toEqual([200, []]);
  });

  test('answers 503 when a copy is missing and identity is down; shows an empty person for an unknown user', async () => {
    const { service } = messaging;
    await service.asOwner(`insert into room (uuid, student_id, teacher_id) values ($1, 61, 62)`, [uuidOf(61, 62)]);
    identity.state.away = true;
    const refused = await service.api.student(61).get('/api/rooms');
    identity.state.away = false;
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    const answer = await service.api.student(61).get('/api/rooms');
    expect([answer.status, answer.body[0].student]).toEqual([
      200,
      { id: 61, name: '', email: '', level_study: null, subjects_interest: '', photo: AVATAR },
    ]);
  });
});

describe('a list with many people without local copies', () => {
  test('reads each of them from identity once, at most 20 concurrently', async () => {
    const { service } = messaging;
    const teachers = Array.from({ length: 60 }, (_, n) => 7001 + n);
    for (const id of teachers) identity.answers[`/internal/users/${id}`] = user(id, 'teacher');
    await messaging.meet(user(7000, 'student'));
    await service.asOwner(
      `insert into room (uuid, student_id, teacher_id)
       select lpad(id::text, 32, 'a')::uuid, 7000, id from unnest($1::bigint[]) id`,
      [teachers],
    );
    Object.assign(identity.state, { mostOpen: 0, slowMs: 20 });
    const names = async () =>
      (await service.api.student(7000).get('/api/rooms')).body.map(
        (one: { teacher: { name: string } }) => one.teacher.name,
      );
    const expected = teachers.map((id) => user(id, 'teacher').name).toReversed();
    expect((await names()).toSorted()).toEqual(expected.toSorted());
    expect((await names()).toSorted()).toEqual(expected.toSorted());
    expect(identity.asked.filter((path) => path.startsWith('/internal/users/70'))).toHaveLength(teachers.length);
    identity.state.slowMs = 0;
    expect(identity.state.mostOpen).toBeLessThanOrEqual(20);
  });
});

describe('rtc_token', () => {
  const tokens = async () =>
    (await messaging.service.api.student(1).get('/api/rooms')).body.map((one: { rtc_token: unknown }) => one.rtc_token);
  const answerWith = (call: object | null) => (calls.answers['/internal/live-calls'] = [call]);
  const live = { room_uuid: uuidOf(1, 2), rtc_token: '007eJx' };
  const opened = async (teacher_id: number) =>
    (await messaging.service.api.student(1).post('/api/rooms', { teacher_id })).body.rtc_token as unknown;
  /** Retries, because the answer of calls may be late on a busy machine. */
  const shown = (what: string, read: () => Promise<unknown[]>, expected: unknown[]) =>
    eventually(what, async () => isDeepStrictEqual(await read(), expected));

  test("is the current token of the viewer's live call, only in the room of the call", async () => {
    answerWith(null);
    expect(await tokens()).toEqual([null, null]);
    answerWith(live);
    await shown('the token is listed', tokens, ['007eJx', null]);
    await shown('the opened room has it', async () => [await opened(2), await opened(3)], ['007eJx', null]);
    answerWith(null);
    expect(await tokens()).toEqual([null, null]);
  });

  test('is null when calls does not answer', async () => {
    answerWith(live);
    calls.state.away = true;
    expect(await tokens()).toEqual([null, null]);
    Object.assign(calls.state, { away: false, slowMs: 1_000 });
    expect(await tokens()).toEqual([null, null]);
    calls.state.slowMs = 0;
    answerWith(null);
  });

  test('with version 1.0 of calls, which has no live-call command, is the token of the room with a live call in the copy', async () => {
    delete calls.answers['/internal/live-calls'];
    calls.answers[`/internal/rooms/${uuidOf(1, 2)}/token`] = { rtc_token: '007eJy' };
    await messaging.service.receive('call.changed', { ...call(1, 2), state: 'ended' });
    expect(await tokens()).toEqual([null, null]);
    await messaging.service.receive('call.changed', call(1, 2));
    await shown('the token is listed', tokens, ['007eJy', null]);
    answerWith(null);
  });
});

test('a ringing call creates the room and publishes it to both', async () => {
  const { service } = messaging;
  await messaging.meet(user(71, 'student'), user(72, 'teacher'));
  await service.receive('call.changed', call(71, 72));
  const rooms = (await service.api.teacher(72).get('/api/rooms')).body;
  expect(rooms.map((one: { uuid: string }) => one.uuid)).toEqual([uuidOf(71, 72)]);
  const events = (await service.live()).filter(
    ({ event, data }) => event === 'room.created' && data['uuid'] === uuidOf(71, 72),
  );
  expect(events.map(({ to }) => to)).toEqual(['user.71', 'user.72']);
});

test('an unverified e-mail address is shown only to its owner and the administrators', async () => {
  const { service } = messaging;
  const secret = 'unproven@example.com';
  await messaging.meet(user(41, 'student', { email: '', unproven_email: secret }), user(42, 'teacher'));
  const opened = await service.api.student(41).post('/api/rooms', { teacher_id: 42 });
  expect(opened.body.student.email).toBe(secret);
  await service.api.student(41).post(`/api/rooms/${uuidOf(41, 42)}/messages`, { message: 'hello' });
  await service.api.student(41).post('/api/support/messages', { message: 'help' });
  const seenBy = async (client: typeof service.api.anonymous) => {
    const rooms = await client.get('/api/rooms');
    return rooms.body.map((of: { student: { email: string } }) => of.student.email) as string[];
  };
  expect(await seenBy(service.api.student(41))).toEqual([secret]);
  expect(await seenBy(service.api.teacher(42))).toEqual(['']);
  const senders = async (client: typeof service.api.anonymous) =>
    (await client.get(`/api/rooms/${uuidOf(41, 42)}`)).body.map(
      (sent: { sender: { email: string } }) => sent.sender.email,
    );
  expect(await senders(service.api.student(41))).toEqual([secret]);
  expect(await senders(service.api.teacher(42))).toEqual(['']);
  const events = await service.rows<{ subject: string; email: string }>(
    `select subject, data->'student'->>'email' as email from outbox
     where name = 'room.created' and data->>'uuid' = $1 order by id`,
    [uuidOf(41, 42)],
  );
  expect(events.map(({ email }) => email)).toEqual([secret, '']);
  const support = await service.api.admin().get('/api/admin/rooms');
  expect(support.text).toContain(secret);
  await messaging.meet(user(41, 'student', { version: 2, email: secret }));
  expect(await seenBy(service.api.teacher(42))).toEqual([secret]);
});
