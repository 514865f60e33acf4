import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { user } from '@tutoring/shared/testing/user';
import { AVATAR, queued, startMessaging, startFakeService, uuidOf, type Messaging } from './kit.ts';

type Neighbour = Awaited<ReturnType<typeof startFakeService>>;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const CANNOT_WRITE = [409, 'conflict', 'You cannot write to this person.'];
const ADMIN = 900;

let identity: Neighbour;
let messaging: Messaging;
let lastId = 100;
beforeAll(async () => {
  identity = await startFakeService({});
  messaging = await startMessaging({ IDENTITY_URL: identity.url });
});
afterAll(async () => {
  await messaging.stop();
  await identity.stop();
});

async function pair() {
  const [studentId, teacherId] = [(lastId += 1), (lastId += 1)];
  const made = await messaging.pair(studentId, teacherId);
  const write = (by: 'student' | 'teacher', body: object = { message: 'x' }) =>
    made[by].post(`/api/rooms/${made.uuid}/messages`, body);
  return { ...made, studentId, teacherId, write };
}
const versionsBy = async (userId: number) =>
  (await messaging.service.published('block.changed'))
    .filter((block) => block.user_id === userId)
    .map(({ blocked_id, active, version }) => ({ blocked_id, active, version }));
const refusal = ({ status, body }: { status: number; body: { code: string; message: string } }) => [
  status,
  body.code,
  body.message,
];

describe('PUT and DELETE api/blocks/{user_id}', () => {
  test('neither can write to the other until the block is lifted; earlier messages stay', async () => {
    const { uuid, student, teacher, studentId, teacherId, write } = await pair();
    await write('teacher', { message: 'before', client_message_id: 'a' });
    const blocked = await teacher.put(`/api/blocks/${studentId}`);
    expect([blocked.status, blocked.body]).toEqual([200, { message: 'The person has been blocked.' }]);
    expect(refusal(await write('student'))).toEqual(CANNOT_WRITE);
    expect(refusal(await write('teacher'))).toEqual(CANNOT_WRITE);
    const keyed = await student.post(`/api/rooms/${uuid}/messages`, { message: 'x' }, { 'idempotency-key': 'k' });
    expect(refusal(keyed)).toEqual(CANNOT_WRITE);
    expect((await write('teacher', { message: 'before', client_message_id: 'a' })).body.message).toBe('before');
    expect((await student.get(`/api/rooms/${uuid}`)).body).toHaveLength(1);
    expect((await student.post('/api/rooms', { teacher_id: teacherId })).body.uuid).toBe(uuid);
    const lifted = await teacher.delete(`/api/blocks/${studentId}`);
    expect([lifted.status, lifted.body]).toEqual([200, { message: 'The person has been unblocked.' }]);
    expect((await write('student')).status).toBe(200);
    expect((await write('teacher')).status).toBe(200);
  });

  test('a block waits for a message that is being sent in the room', async () => {
    const { uuid, teacher, studentId, teacherId } = await pair();
    const blocked = `exists (select from block where user_id = ${teacherId})`;
    const held = await messaging.service.lockUntil(`perform 1 from room where uuid = '${uuid}' for update`, {
      until: `${blocked} or exists (select from pg_locks where not granted)`,
      then: `if ${blocked} then raise 'a block beside the lock'; end if;`,
    });
    const answer = await teacher.put(`/api/blocks/${studentId}`);
    await held.released;
    expect(answer.status).toBe(200);
  });

  test.each([
    ['a block', {}, 'block'],
    ['a ban', { status: 'banned' }, 'ban'],
    ['a deletion', { deleted: true }, 'ban'],
  ] as const)(
    'a message that waits for the lock of its room is refused after %s in the meantime',
    async (_what, change, by) => {
      // The message waits for two seconds at most, which may be too short for the event to arrive.
      const answer = await retryWhile503(async () => {
        const { uuid, studentId, teacherId, write } = await pair();
        const done =
          by === 'block'
            ? `insert into block (user_id, blocked_id, created_at) values (${teacherId}, ${studentId}, app_now());`
            : '';
        const held = await messaging.service.lockUntil(`perform 1 from room where uuid = '${uuid}' for update`, {
          until:
            by === 'block'
              ? 'exists (select from pg_locks where not granted)'
              : `exists (select from user_copy where id = ${studentId} and version = 7)`,
          then: done,
        });
        const sending = write('student');
        await eventually('the message waits for the lock', async () => {
          const waits = await messaging.service.asOwner('select 1 from pg_locks where not granted');
          return by === 'block' || waits.length > 0;
        });
        if (by === 'ban') await messaging.meet(user(studentId, 'student', { ...change, version: 7 }));
        await held.released;
        return sending;
      });
      expect([403, 409]).toContain(answer.status);
    },
  );

  test('each person has a separate block: when one is lifted, the other remains', async () => {
    const { student, teacher, studentId, teacherId, write } = await pair();
    await student.put(`/api/blocks/${teacherId}`);
    await teacher.put(`/api/blocks/${studentId}`);
    await teacher.delete(`/api/blocks/${studentId}`);
    expect(refusal(await write('teacher'))).toEqual(CANNOT_WRITE);
    await student.delete(`/api/blocks/${teacherId}`);
    expect((await write('teacher')).status).toBe(200);
  });

  test('other people can still write to both, and the blocked person can write to support', async () => {
    const { teacher, studentId, teacherId } = await pair();
    await teacher.put(`/api/blocks/${studentId}`);
    const other = await messaging.pair(studentId, (lastId += 1));
    const theirs = await messaging.pair((lastId += 1), teacherId);
    expect((await other.student.post(`/api/rooms/${other.uuid}/messages`, { message: 'x' })).status).toBe(200);
    expect((await theirs.student.post(`/api/rooms/${theirs.uuid}/messages`, { message: 'x' })).status).toBe(200);
    expect((await other.student.post('/api/support/messages', { message: 'x' })).status).toBe(200);
  });

  test('the blocked person receives no event; each change is published once, with rising versions', async () => {
    const { student, teacher, studentId, teacherId } = await pair();
    const before = (await messaging.service.live()).length;
    await teacher.delete(`/api/blocks/${studentId}`);
    for (let time = 0; time < 2; time += 1) await teacher.put(`/api/blocks/${studentId}`);
    for (let time = 0; time < 2; time += 1) await teacher.delete(`/api/blocks/${studentId}`);
    await teacher.put(`/api/blocks/${studentId}`);
    expect(await versionsBy(teacherId)).toEqual([
      { blocked_id: studentId, active: true, version: 1 },
      { blocked_id: studentId, active: false, version: 2 },
      { blocked_id: studentId, active: true, version: 3 },
    ]);
    expect((await messaging.service.live()).length).toBe(before);
    expect((await student.get('/api/blocks')).body).toEqual([]);
  });

  test('after twenty concurrent blocks and unblocks, versions have risen by one each and the last one counts', async () => {
    const { teacher, studentId, teacherId, write } = await pair();
    const path = `/api/blocks/${studentId}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        retryWhile503(() => (index % 2 === 0 ? teacher.put(path) : teacher.delete(path))),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const versions = await versionsBy(teacherId);
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_one, index) => index + 1));
    expect(versions.map(({ active }) => active)).toEqual(versions.map((_one, index) => index % 2 === 0));
    expect((await write('student')).status).toBe(versions.at(-1)!.active ? 409 : 200);
  });

  test.each(['put', 'delete'] as const)(
    '%s answers 404 for an unknown or deleted user and for an administrator',
    async (method) => {
      const { student } = await pair();
      const gone = (lastId += 1);
      await messaging.meet(user(gone, 'teacher', { deleted: true }));
      for (const id of [gone, 987_654, ADMIN, 0, -1, 'x', '1e3', '99999999999999999999'])
        expect(refusal(await student[method](`/api/blocks/${id}`))).toEqual([404, 'not_found', 'User not found.']);
    },
  );

  test.each(['put', 'delete'] as const)('%s answers 422 for the own id', async (method) => {
    const { student, studentId } = await pair();
    const answer = await student[method](`/api/blocks/${studentId}`);
    expect([answer.status, answer.body.errors]).toEqual([422, { user_id: ['The selected user id is invalid.'] }]);
  });

  test('a user without a local copy is read from identity; the answer is 503 when identity is down', async () => {
    const { student } = await pair();
    const id = (lastId += 1);
    identity.state.away = true;
    expect((await student.put(`/api/blocks/${id}`)).status).toBe(503);
    identity.state.away = false;
    identity.answers[`/internal/users/${id}`] = user(id, 'teacher');
    expect((await student.put(`/api/blocks/${id}`)).status).toBe(200);
  });

  test.each([
    ['an anonymous caller', 'anonymous', 401],
    ['an administrator', 'admin', 403],
  ] as const)('%s is refused', async (_name, who, status) => {
    const { api } = messaging.service;
    const client = who === 'admin' ? api.admin('su') : api.anonymous;
    const answers = [
      await client.get('/api/blocks'),
      await client.put('/api/blocks/1'),
      await client.delete('/api/blocks/1'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
  });
});

describe('GET api/blocks', () => {
  test('lists blocks newest first, in pages by cursor; a lifted block is still a valid cursor', async () => {
    const id = (lastId += 1);
    await messaging.meet(user(id, 'student'));
    const client = messaging.service.api.student(id);
    const teachers = [1, 2, 3, 4].map(() => (lastId += 1));
    for (const teacher of teachers) {
      await messaging.meet(user(teacher, 'teacher', { photo: teacher % 2 ? 'http://x.test/1.png' : '' }));
      await client.put(`/api/blocks/${teacher}`);
    }
    const [first, second, third, fourth] = teachers as [number, number, number, number];
    await client.delete(`/api/blocks/${first}`);
    await client.put(`/api/blocks/${first}`);
    const item = (teacher: number) => ({
      user_id: teacher,
      name: `Tara ${teacher}`,
      photo: teacher % 2 ? 'http://x.test/1.png' : AVATAR,
      created_at: TIME,
    });
    const list = async (query = '') => (await client.get(`/api/blocks${query}`)).body;
    expect(await list()).toEqual([first, fourth, third, second].map(item));
    expect(Object.keys((await list())[0])).toEqual(['user_id', 'name', 'photo', 'created_at']);
    expect(await list('?limit=2')).toEqual([first, fourth].map(item));
    expect(await list(`?before=${fourth}&limit=1000`)).toEqual([third, second].map(item));
    await client.delete(`/api/blocks/${fourth}`);
    expect(await list(`?before=${fourth}`)).toEqual([third, second].map(item));
    const unknown = await client.get('/api/blocks?before=987654');
    expect([unknown.status, unknown.body.message]).toEqual([422, 'The selected before is invalid.']);
  });
});

describe('deletion of an account', () => {
  test('deletes all blocks by and of the account', async () => {
    const { teacher, student, studentId, teacherId } = await pair();
    const other = await messaging.pair((lastId += 1), teacherId);
    await teacher.put(`/api/blocks/${studentId}`);
    await student.put(`/api/blocks/${teacherId}`);
    await other.student.put(`/api/blocks/${teacherId}`);
    await messaging.meet(user(studentId, 'student', { deleted: true, name: 'Deleted user', version: 2 }));
    expect((await teacher.get('/api/blocks')).body).toEqual([]);
    const left = 'select user_id from block where $1::bigint in (user_id, blocked_id)';
    expect(await messaging.service.rows(left, [studentId])).toEqual([]);
    expect(await messaging.service.rows(left, [teacherId])).toEqual([{ user_id: lastId }]);
  });

  test('leaves no block when somebody blocks the account at the same time', async () => {
    const { studentId, status } = await retryWhile503(async () => {
      const { teacher, studentId } = await pair();
      const { status } = await queued(messaging.service, 'block', [
        () => teacher.put(`/api/blocks/${studentId}`),
        () => messaging.meet(user(studentId, 'student', { deleted: true, version: 2 })),
      ]);
      return { studentId, status };
    });
    expect(status).toBe(200);
    expect(await messaging.service.rows('select 1 from block where blocked_id = $1', [studentId])).toEqual([]);
  });
});

test('a room that is opened after the block can be read, but not written to', async () => {
  const [studentId, teacherId] = [(lastId += 1), (lastId += 1)];
  await messaging.meet(user(studentId, 'student'), user(teacherId, 'teacher'));
  await messaging.service.api.teacher(teacherId).put(`/api/blocks/${studentId}`);
  const student = messaging.service.api.student(studentId);
  expect((await student.post('/api/rooms', { teacher_id: teacherId })).status).toBe(200);
  const sent = await student.post(`/api/rooms/${uuidOf(studentId, teacherId)}/messages`, { message: 'x' });
  expect(refusal(sent)).toEqual(CANNOT_WRITE);
});
