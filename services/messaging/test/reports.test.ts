import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { retryWhile503 } from '@tutoring/shared/testing/wait';
import { user } from '@tutoring/shared/testing/user';
import { queued, startMessaging, startFakeService, type Messaging } from './kit.ts';

type Neighbour = Awaited<ReturnType<typeof startFakeService>>;
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const INVALID = (field: string) => ({ [field]: [`The selected ${field.replaceAll('_', ' ')} is invalid.`] });

let calls: Neighbour;
let identity: Neighbour;
let messaging: Messaging;
let lastId = 100;
beforeAll(async () => {
  calls = await startFakeService({});
  identity = await startFakeService({});
  messaging = await startMessaging({ CALLS_URL: calls.url, IDENTITY_URL: identity.url });
});
afterAll(async () => {
  await messaging.stop();
  await calls.stop();
  await identity.stop();
});

const admin = (level: 'su' | 'default' = 'default') => messaging.service.api.admin(level);

async function pair() {
  const [studentId, teacherId] = [(lastId += 1), (lastId += 1)];
  const made = await messaging.pair(studentId, teacherId);
  const identifier = randomUUID();
  calls.answers[`/internal/calls/${identifier}`] = { student_id: studentId, teacher_id: teacherId };
  return { ...made, studentId, teacherId, identifier };
}
const list = async (body: object = {}) => (await admin().post('/api/admin/reportsall', body)).body;
const createdEvents = async (id: number) =>
  (await messaging.service.live()).filter(({ event, data }) => event === 'report.created' && data['id'] === id);

describe('POST api/reports', () => {
  test('administrators receive an event equal to the list entry; the reported user receives none', async () => {
    const { uuid, student, studentId, teacherId, identifier } = await pair();
    const request = { user_id: teacherId, reason: 'fraud', details: ' Pay me outside. ', room_uuid: uuid, identifier };
    const { status, body, text } = await student.post('/api/reports', request);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(Number),
        ...request,
        details: 'Pay me outside.',
        status: 'open',
        created_at: TIME,
        updated_at: body.created_at,
      },
    ]);
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      ...['id', 'user_id', 'reason', 'details', 'room_uuid', 'identifier', 'status', 'created_at', 'updated_at'],
    ]);
    const row = {
      ...body,
      reporter: { id: studentId, name: `Sam ${studentId}` },
      user: { id: teacherId, name: `Tara ${teacherId}` },
      note: '',
    };
    expect(await createdEvents(body.id)).toEqual([{ to: 'admins', event: 'report.created', data: row }]);
    expect((await list()).data[0]).toEqual(row);
    expect((await admin().get(`/api/admin/reports/${body.id}`)).body).toEqual(row);
  });

  test('accepts the required fields only, and reports by teachers', async () => {
    const { teacher, studentId } = await pair();
    const { body } = await teacher.post('/api/reports', { user_id: String(studentId), reason: 'spam', details: '' });
    expect(body).toMatchObject({ user_id: studentId, details: '', room_uuid: null, identifier: null });
  });

  test('a report about a deleted user is accepted', async () => {
    const { student, teacherId, identifier } = await pair();
    await messaging.meet(user(teacherId, 'teacher', { deleted: true, name: 'Deleted user', version: 2 }));
    expect((await student.post('/api/reports', { user_id: teacherId, reason: 'fraud', identifier })).status).toBe(200);
  });

  test.each<[string, (of: Awaited<ReturnType<typeof pair>>) => Promise<object> | object, string]>([
    ['the reporter', ({ studentId }) => ({ user_id: studentId }), 'user_id'],
    ['an unknown user', () => ({ user_id: 987_654 }), 'user_id'],
    ['an administrator', () => ({ user_id: 900 }), 'user_id'],
    ['a room of other people', async () => ({ room_uuid: (await pair()).uuid }), 'room_uuid'],
    ["the reporter's room with somebody else", async ({ studentId }) => otherRoom(studentId), 'room_uuid'],
    ['an unknown room', () => ({ room_uuid: randomUUID() }), 'room_uuid'],
    ['a support room', async ({ student }) => supportRoom(student), 'room_uuid'],
    ['a call of other people', async () => ({ identifier: (await pair()).identifier }), 'identifier'],
    ['an unknown call', () => ({ identifier: randomUUID() }), 'identifier'],
  ])('a report about %s is refused with a 422', async (_what, wrong, field) => {
    const of = await pair();
    const body = { user_id: of.teacherId, reason: 'other', ...(await wrong(of)) };
    const answer = await of.student.post('/api/reports', body);
    expect([answer.status, answer.body.errors]).toEqual([422, INVALID(field)]);
    expect(await messaging.service.rows('select 1 from report where reporter_id = $1', [of.studentId])).toEqual([]);
  });
  async function otherRoom(studentId: number) {
    return { room_uuid: (await messaging.pair(studentId, (lastId += 1))).uuid };
  }
  async function supportRoom(student: Awaited<ReturnType<typeof pair>>['student']) {
    return { room_uuid: (await student.post('/api/support/messages', { message: 'x' })).body.room_uuid as string };
  }

  test('all errors are reported at once', async () => {
    const { student } = await pair();
    const wrong = { reason: 'boring', details: 'x'.repeat(2_001), room_uuid: 'x', identifier: '../..' };
    const { status, body } = await student.post('/api/reports', wrong);
    expect([status, body.message, body.errors]).toEqual([
      422,
      'The user id field is required. (and 4 more errors)',
      {
        user_id: ['The user id field is required.'],
        reason: ['The selected reason is invalid.'],
        details: ['The details field must not be greater than 2000 characters.'],
        room_uuid: ['The room uuid field must be a valid UUID.'],
        identifier: ['The identifier field must be a valid UUID.'],
      },
    ]);
  });

  test('while calls is down, a report about a call gets a 503 and other reports are accepted', async () => {
    const { student, teacherId, identifier } = await pair();
    calls.state.away = true;
    const about = (more: object) => student.post('/api/reports', { user_id: teacherId, reason: 'abuse', ...more });
    const answers = [await about({ identifier }), await about({})];
    calls.state.away = false;
    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
  });

  test('twenty concurrent requests with one Idempotency-Key create and publish one report; another body gets a 422', async () => {
    const { student, studentId, teacherId } = await pair();
    const send = (reason: string) =>
      retryWhile503(() => student.post('/api/reports', { user_id: teacherId, reason }, { 'idempotency-key': 'one' }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('spam')));
    const done = answers.filter(({ status }) => status === 200);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await messaging.service.rows('select 1 from report where reporter_id = $1', [studentId])).toHaveLength(1);
    expect(await createdEvents(done[0]!.body.id)).toHaveLength(1);
    expect((await send('fraud')).status).toBe(422);
  });
});

describe('administrators', () => {
  let ids: number[];
  let studentId: number;
  let teacherId: number;
  beforeAll(async () => {
    const of = await pair();
    ({ studentId, teacherId } = of);
    await messaging.meet(
      user(studentId, 'student', {
        ...{ name: 'Zoé Quincampoix', email: '', unproven_email: 'zoe.q@example.org', version: 2 },
      }),
      user(teacherId, 'teacher', { email: 'odd.one@example.org', phone_number: '+228 91 17 19 23', version: 2 }),
    );
    const bodies = [
      [of.student, { user_id: teacherId, reason: 'spam', details: 'Répète des mots' }],
      [of.student, { user_id: teacherId, reason: 'abuse' }],
      [of.teacher, { user_id: studentId, reason: 'other' }],
    ] as const;
    ids = [];
    for (const [by, body] of bodies) ids.push((await by.post('/api/reports', body)).body.id);
  });

  const found = async (body: object) =>
    (await list({ pageItems: 100, ...body })).data.map(({ id }: { id: number }) => ids.indexOf(id));

  test('the list is a page, newest first', async () => {
    const page = await list({ user_id: teacherId, pageItems: 1 });
    expect(page).toMatchObject({ current_page: 1, per_page: 1, total: 2, last_page: 2, from: 1, to: 1 });
    expect(page.path).toBe('http://public.test/api/admin/reportsall');
    expect(page.data.map(({ id }: { id: number }) => id)).toEqual([ids[1]]);
    const second = await list({ user_id: teacherId, pageItems: 1, page: 2 });
    expect(second.data.map(({ id }: { id: number }) => id)).toEqual([ids[0]]);
    expect(await list({ user_id: teacherId, page: 9 })).toMatchObject({ data: [], from: null, to: null, total: 2 });
  });

  test.each<[string, () => object, number[]]>([
    ['the reported user', () => ({ user_id: studentId }), [2]],
    ['status', () => ({ user_id: teacherId, status: 'resolved' }), []],
    ['words without accents or case', () => ({ filter_value: 'REPETE des' }), [0]],
    ['the name of either person', () => ({ filter_value: 'zoe quincampoix' }), [2, 1, 0]],
    ['an e-mail', () => ({ filter_value: 'odd.one@example.org' }), [2, 1, 0]],
    ['an unverified e-mail', () => ({ filter_value: 'ZOE.Q@example.org' }), [2, 1, 0]],
    ['a phone number', () => ({ filter_value: '91171923' }), [2, 1, 0]],
    ['an exact id', () => ({ filter_value: String(teacherId), user_id: teacherId }), [1, 0]],
    ['a text that does not occur', () => ({ filter_value: '%_%' }), []],
    ['days', () => ({ user_id: teacherId, from: '2020-01-01', to: '2020-01-02' }), []],
  ])('the list is filtered by %s', async (_what, filter, expected) => {
    expect(await found(filter())).toEqual(expected);
  });

  test.each<[object, string]>([
    [{ status: 'lost' }, 'The selected status is invalid.'],
    [{ user_id: 987_654 }, 'The selected user id is invalid.'],
    [{ from: 'x' }, 'The from field must be a valid date.'],
    [{ pageItems: 0 }, 'The page items field must be at least 1.'],
    [{ order: 'up' }, 'The selected order is invalid.'],
  ])('%j is refused with a 422', async (body, message) => {
    const answer = await admin().post('/api/admin/reportsall', body);
    expect([answer.status, answer.body.message]).toEqual([422, message]);
  });

  test('the decision of an administrator is audited, and a repeat changes nothing', async () => {
    const path = `/api/admin/reports/${ids[0]}`;
    const decided = await admin().put(path, { status: 'resolved', note: 'Warned.' });
    expect([decided.status, decided.body]).toEqual([
      200,
      { ...(await list({ status: 'resolved' })).data[0], status: 'resolved', note: 'Warned.', updated_at: TIME },
    ]);
    expect(decided.body.updated_at > decided.body.created_at).toBe(true);
    const acts = async () =>
      (await messaging.service.published('admin.acted')).filter(({ subject }) => subject === `report:${ids[0]}`);
    expect(await acts()).toEqual([
      expect.objectContaining({
        admin_id: 900,
        action: 'report.updated',
        before: { status: 'open', note: '' },
        after: { status: 'resolved', note: 'Warned.' },
      }),
    ]);
    expect((await admin().put(path, { status: 'resolved' })).body).toEqual(decided.body);
    expect(await acts()).toHaveLength(1);
    const reopened = await admin('su').put(path, { status: 'open' });
    expect(reopened.body).toMatchObject({ status: 'open', note: 'Warned.' });
  });

  test('an unknown report is a 404, an unknown status a 422', async () => {
    for (const id of ['987654', '0', 'x', '99999999999999999999']) {
      const path = `/api/admin/reports/${id}`;
      for (const { status, body } of [await admin().get(path), await admin().put(path, { status: 'open' })])
        expect([status, body.message]).toEqual([404, 'Report not found.']);
    }
    for (const body of [{}, { status: 'lost' }, { status: 'open', note: 'x'.repeat(2_001) }])
      expect((await admin().put(`/api/admin/reports/${ids[0]}`, body)).status).toBe(422);
  });
});

test.each([
  ['post', '/api/reports', 'admin'],
  ['post', '/api/admin/reportsall', 'student'],
  ['get', '/api/admin/reports/1', 'student'],
  ['put', '/api/admin/reports/1', 'teacher'],
] as const)('%s %s answers 401 without a token and 403 to the wrong kind of user', async (method, path, who) => {
  const { api } = messaging.service;
  const wrong = who === 'admin' ? api.admin('su') : api[who](1);
  const answers = [await api.anonymous[method](path, {}), await wrong[method](path, {})];
  expect(answers.map(({ status }) => status)).toEqual([401, 403]);
});

describe('deletion of the reporter', () => {
  const gone = (id: number) => user(id, 'student', { deleted: true, name: 'Deleted user', version: 2 });

  test('clears the texts of the reporter; the report stays under a pseudonym', async () => {
    const { student, teacher, studentId, teacherId } = await pair();
    const own = (await student.post('/api/reports', { user_id: teacherId, reason: 'abuse', details: 'mine' })).body.id;
    const other = (await teacher.post('/api/reports', { user_id: studentId, reason: 'spam', details: 'his' })).body.id;
    await messaging.meet(gone(studentId));
    const rows = (await list({ filter_value: String(studentId) })).data as { id: number }[];
    const row = (id: number) => rows.find((report) => report.id === id);
    expect(row(own)).toMatchObject({ details: '', reporter: { id: studentId, name: 'Deleted user' } });
    expect(row(other)).toMatchObject({ details: 'his', user: { id: studentId, name: 'Deleted user' } });
  });

  test('leaves no text of a report that is sent at the same time', async () => {
    const { studentId, status } = await retryWhile503(async () => {
      const { student, studentId, teacherId } = await pair();
      const { status } = await queued(messaging.service, 'report', [
        () => student.post('/api/reports', { user_id: teacherId, reason: 'abuse', details: 'mine' }),
        () => messaging.meet(gone(studentId)),
      ]);
      return { studentId, status };
    });
    expect(status).toBe(200);
    const details = await messaging.service.rows('select details from report where reporter_id = $1', [studentId]);
    expect(details).toEqual([{ details: '' }]);
  });
});

test("the service's database user cannot delete reports", async () => {
  await expect(messaging.service.rows('delete from report')).rejects.toThrow('permission denied');
});
