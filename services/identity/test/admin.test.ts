import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { resync } from '@tutoring/shared/events/resync';
import { PASSWORD, startIdentity, SUPER, unique, type TestIdentity } from './identity.ts';
import { serve, type LocalServer } from './issuer.ts';

const world = { down: false };
let others: LocalServer;
let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  others = await serve(({ pathname }) =>
    world.down || pathname !== '/internal/stats'
      ? { status: 503, body: {} }
      : {
          body: {
            deposits: { count: 2, amount: 300, by_status: { success: 1, failed: 1 } },
            withdrawals: { count: 1, amount: 50, by_status: { pending: 1 } },
            revenue: 90,
            commission: 9,
            rooms: 4,
            messages: 7,
            count: 3,
            active: 1,
            seconds: 120,
          },
        },
  );
  service = await startIdentity({ WALLET_URL: others.url, CALLS_URL: others.url, MESSAGING_URL: others.url });
  su = await service.su();
});
afterAll(async () => {
  await service.end();
  await others.close();
});

const RECORD_NOT_FOUND = [404, { code: 'not_found', message: 'The record could not be found.' }];
const answerOf = (answer: { status: number; body: unknown }) => [answer.status, answer.body];

async function admin() {
  const body = {
    name: 'Bob',
    email: `bob-${unique()}@example.com`,
    password: PASSWORD,
    phone_number: '+2250700000000',
  };
  expect(answerOf(await su.api.post('/api/admin/admins', body))).toEqual([201, 'The administrator has been created.']);
  const login = await service.api.anonymous.post('/api/admin/auth/login', body);
  const { id, name, level } = login.body.admin as { id: number; name: string; level: string };
  const tokenId = Number(String(login.body.token).split('|')[0]);
  const api = service.api.as({ kind: 'admin', id, name, level, tokenId });
  return { ...body, id, token: login.body.token as string, view: login.body.admin, api };
}

describe('admin sessions', () => {
  test('log in, me and log out', async () => {
    const login = await service.api.anonymous.post('/api/admin/auth/login', SUPER);
    expect(answerOf(login)).toEqual([
      200,
      {
        token: expect.any(String),
        token_type: 'Bearer',
        admin: {
          id: su.id,
          name: 'Administrator',
          email: SUPER.email,
          phone_number: null,
          status: 'active',
          level: 'su',
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      },
    ]);
    expect(answerOf(await su.api.get('/api/admin/auth/me'))).toEqual([200, login.body.admin]);
  });

  test('every refusal is the same 404; a user is no administrator, nor the reverse', async () => {
    const user = await service.user();
    for (const body of [
      {},
      { email: SUPER.email },
      { ...SUPER, password: 'wrong' },
      { email: user.email, password: PASSWORD },
      { email: 'x', password: 'y' },
    ])
      expect(answerOf(await service.api.anonymous.post('/api/admin/auth/login', body))).toEqual([
        404,
        { code: 'not_found', message: 'Invalid credentials.' },
      ]);
    expect((await user.api.get('/api/admin/auth/me')).status).toBe(403);
    expect((await su.api.get('/api/me')).status).toBe(403);
    expect((await service.api.anonymous.get('/api/admin/auth/me')).status).toBe(401);
  });

  test('ten failures lock the account', async () => {
    const bob = await admin();
    for (let n = 0; n < 10; n += 1)
      await service.api.anonymous.post('/api/admin/auth/login', { email: bob.email, password: 'wrong' });
    expect((await service.api.anonymous.post('/api/admin/auth/login', bob)).status).toBe(404);
    expect((await su.api.put(`/api/admin/admins/${bob.id}`, { status: 'active' })).status).toBe(200);
    expect((await service.api.anonymous.post('/api/admin/auth/login', bob)).status).toBe(200);
  });

  test('the first super administrator is made once', async () => {
    await service.restart();
    expect(await service.rows(`select 1 from admin where level = 'su'`)).toHaveLength(1);
    expect(await service.rows('select 1 from plan')).toHaveLength(3);
    expect(await service.rows('select 1 from setting')).toHaveLength(7);
  });
});

describe('administrators', () => {
  test('are created at the default level, listed and read', async () => {
    const bob = await admin();
    const view = {
      id: bob.id,
      name: 'Bob',
      email: bob.email,
      phone_number: '+2250700000000',
      status: 'active',
      level: 'default',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    };
    expect(bob.view).toEqual(view);
    expect(answerOf(await bob.api.get(`/api/admin/admins/${bob.id}`))).toEqual([200, view]);
    expect((await bob.api.get('/api/admin/admins')).body).toContainEqual(view);
    expect(answerOf(await bob.api.get('/api/admin/admins/999999'))).toEqual(RECORD_NOT_FOUND);
    expect(answerOf(await bob.api.get('/api/admin/admins/x'))).toEqual(RECORD_NOT_FOUND);
  });

  test('only su creates and changes them; the level is never set', async () => {
    const bob = await admin();
    const body = { name: 'C', email: `c-${unique()}@example.com`, password: PASSWORD, phone_number: '1', level: 'su' };
    expect((await bob.api.post('/api/admin/admins', body)).status).toBe(403);
    expect((await bob.api.put(`/api/admin/admins/${bob.id}`, { status: 'inactive' })).status).toBe(403);
    await su.api.post('/api/admin/admins', body);
    expect(
      (await su.api.get('/api/admin/admins')).body.find((found: { email: string }) => found.email === body.email).level,
    ).toBe('default');
  });

  test('422 for what is missing, malformed or taken', async () => {
    const empty = await su.api.post('/api/admin/admins', {});
    expect(empty.body).toEqual({
      code: 'invalid',
      message: 'The name field is required. (and 3 more errors)',
      errors: {
        name: ['The name field is required.'],
        email: ['The email field is required.'],
        password: ['The password field is required.'],
        phone_number: ['The phone number field is required.'],
      },
    });
    const bad = await su.api.post('/api/admin/admins', {
      name: 1,
      email: SUPER.email.toUpperCase(),
      password: 'short',
      phone_number: 5,
    });
    expect(bad.body.errors).toEqual({
      name: ['The name field must be a string.'],
      email: ['The email has already been taken.'],
      password: ['The password field must be at least 8 characters.'],
      phone_number: ['The phone number field must be a string.'],
    });
    expect((await su.api.put(`/api/admin/admins/${su.id}`, { status: 'asleep' })).body.errors).toEqual({
      status: ['The selected status is invalid.'],
    });
  });

  test('deactivation ends the sessions; nobody deactivates himself or the last active su', async () => {
    const bob = await admin();
    expect(answerOf(await su.api.put(`/api/admin/admins/${bob.id}`, { status: 'inactive' }))).toEqual([
      200,
      { message: 'The administrator has been updated.' },
    ]);
    expect((await service.verifyToken(bob.token)).status).toBe(401);
    expect((await service.api.anonymous.post('/api/admin/auth/login', bob)).status).toBe(404);
    expect(answerOf(await su.api.put(`/api/admin/admins/${su.id}`, { status: 'inactive' }))).toEqual([
      409,
      { code: 'conflict', message: 'You cannot deactivate yourself.' },
    ]);
    const other = service.api.as({ kind: 'admin', id: 900_000, name: 'Other', level: 'su', tokenId: 1 });
    expect(answerOf(await other.put(`/api/admin/admins/${su.id}`, { status: 'inactive' }))).toEqual([
      409,
      { code: 'conflict', message: 'The last active super administrator cannot be deactivated.' },
    ]);
    expect(answerOf(await su.api.put('/api/admin/admins/999999', { status: 'active' }))).toEqual(RECORD_NOT_FOUND);
  });
});

describe('settings', () => {
  const find = async (name: string) =>
    (await su.api.post('/api/admin/settingsall', { filter_value: name })).body.data[0] as { id: number; value: number };

  test('are seeded and paged', async () => {
    const { body } = await su.api.post('/api/admin/settingsall', { pageItems: 2 });
    expect(body).toMatchObject({ current_page: 1, per_page: 2, total: 7, last_page: 4 });
    expect(body.data[0]).toEqual({
      id: expect.any(Number),
      name: 'require_verified_teacher',
      value: 0,
      description: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const all = (await su.api.post('/api/admin/settingsall', {})).body.data as { name: string; value: number }[];
    expect(Object.fromEntries(all.map(({ name, value }) => [name, value]))).toEqual({
      commission_percent: 0,
      min_deposit: 100,
      min_withdrawal: 1000,
      call_ring_timeout_seconds: 45,
      message_max_length: 5000,
      show_contact_details: 0,
      require_verified_teacher: 0,
    });
    expect((await su.api.post('/api/admin/settingsall', { pageItems: 0 })).body.errors).toEqual({
      pageItems: ['The page items field must be at least 1.'],
    });
  });

  test('a change answers the record and is told to every service', async () => {
    const { id } = await find('min_deposit');
    const answer = await su.api.put(`/api/admin/settings/${id}`, { value: '250' });
    expect(answer.body).toMatchObject({ id, name: 'min_deposit', value: 250 });
    expect((await su.api.get(`/api/admin/settings/${id}`)).body).toEqual(answer.body);
    expect((await service.published('setting.changed')).at(-1)).toEqual({
      name: 'min_deposit',
      value: 250,
      version: 2,
    });
  });

  test.each([
    ['commission_percent', 101, 'The value field must not be greater than 100.'],
    ['commission_percent', -1, 'The value field must be at least 0.'],
    ['min_deposit', -1, 'The value field must be at least 0.'],
    ['min_deposit', 'x', 'The value field must be an integer.'],
    ['min_deposit', undefined, 'The value field is required.'],
    ['show_contact_details', 2, 'The value field must not be greater than 1.'],
  ])('422: %s = %s', async (name, value, text) => {
    const { id } = await find(name);
    expect((await su.api.put(`/api/admin/settings/${id}`, { value })).body.errors).toEqual({ value: [text] });
  });

  test('404 and 403', async () => {
    const bob = await admin();
    const { id } = await find('min_deposit');
    expect((await bob.api.put(`/api/admin/settings/${id}`, { value: 1 })).status).toBe(403);
    expect((await bob.api.get(`/api/admin/settings/${id}`)).status).toBe(200);
    for (const unknown of ['999', 'x', '99999999999999999999']) {
      expect(answerOf(await su.api.get(`/api/admin/settings/${unknown}`))).toEqual(RECORD_NOT_FOUND);
      expect(answerOf(await su.api.put(`/api/admin/settings/${unknown}`, { value: 1 }))).toEqual(RECORD_NOT_FOUND);
    }
  });
});

describe('users', () => {
  test('are found by name, e-mail, phone, id, status, platform and day', async () => {
    const bob = await admin();
    const user = await service.user({ platform: 'teacher', name: 'Zoé Brûlé', phone_number: '+2250707070707' });
    const find = async (body: object) =>
      (await bob.api.post('/api/admin/usersall', body)).body.data.map((found: { id: number }) => found.id);
    const today = user.view.created_at.slice(0, 10);
    for (const filter_value of ['zoe brule', user.email, '0707070707', String(user.id)])
      expect(await find({ filter_value })).toContain(user.id);
    expect(
      await find({ filter_value: 'zoe', platform: 'teacher', status: 'active', verified: 0, from: today, to: today }),
    ).toEqual([user.id]);
    expect(await find({ filter_value: 'zoe', platform: 'student' })).toEqual([]);
    expect(await find({ filter_value: 'zoe', to: '2001-01-01' })).toEqual([]);
    expect((await bob.api.post('/api/admin/usersall', { status: 'x' })).body.errors).toEqual({
      status: ['The selected status is invalid.'],
    });
  });

  test('ban and readmit: the record, the event, the tokens, the log', async () => {
    const bob = await admin();
    const user = await service.user();
    const banned = await bob.api.put(`/api/admin/users/${user.id}`, { status: 'banned' });
    expect(banned.body).toEqual({ ...user.view, status: 'banned', updated_at: expect.any(String) });
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect((await service.login(user.email)).status).toBe(404);
    await bob.api.put(`/api/admin/users/${user.id}`, { status: 'active' });
    expect((await service.login(user.email)).status).toBe(200);
    const told = (await service.published('user.changed')).filter((event) => event.id === user.id);
    expect(told.map((event) => event.status)).toEqual(['active', 'banned', 'active']);
    const entry = await eventually('the log', async () =>
      (await su.api.post('/api/admin/auditall', { filter_value: `user:${user.id}` })).body.data.at(-1),
    );
    expect(entry).toEqual({
      id: expect.any(Number),
      admin_id: bob.id,
      admin_name: 'Bob',
      action: 'user.updated',
      subject: `user:${user.id}`,
      before: { status: 'active', verified: false },
      after: { status: 'banned', verified: false },
      request_id: expect.any(String),
      created_at: expect.stringMatching(/\.\d{6}Z$/),
    });
  });

  test('only teachers are verified; 404 for unknown ids and administrators', async () => {
    const user = await service.user();
    expect((await su.api.put(`/api/admin/users/${user.id}`, { verified: true })).body.errors).toEqual({
      verified: ['Only a teacher can be verified.'],
    });
    for (const id of [su.id, 999_999, 'x']) {
      expect(answerOf(await su.api.get(`/api/admin/users/${id}`))).toEqual(RECORD_NOT_FOUND);
      expect(answerOf(await su.api.put(`/api/admin/users/${id}`, { status: 'active' }))).toEqual(RECORD_NOT_FOUND);
    }
    expect((await su.api.get(`/api/admin/users/${user.id}`)).body).toEqual(user.view);
  });
});

describe('catalogue', () => {
  test('skills: add, rename, delete; taken 422, in use 409, unknown 404', async () => {
    const added = await su.api.post('/api/admin/skills', { name: 'Drawing' });
    expect(added.body).toEqual({
      id: expect.any(Number),
      name: 'Drawing',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/api/admin/skills/${added.body.id}`;
    expect((await su.api.post('/api/admin/skills', { name: 'drawing' })).body.errors).toEqual({
      name: ['The name has already been taken.'],
    });
    expect((await su.api.put(path, { name: 'Painting' })).body.name).toBe('Painting');
    const holder = await service.user({ domains: [added.body.id] });
    expect(answerOf(await su.api.delete(path))).toEqual([
      409,
      { code: 'conflict', message: 'The record is in use and cannot be deleted.' },
    ]);
    await holder.api.put('/api/me', { domains: [1] });
    expect(answerOf(await su.api.delete(path))).toEqual([200, { message: 'The record has been deleted.' }]);
    expect(answerOf(await su.api.delete(path))).toEqual(RECORD_NOT_FOUND);
    expect(answerOf(await su.api.put(path, { name: 'x' }))).toEqual(RECORD_NOT_FOUND);
    const bob = await admin();
    expect((await bob.api.post('/api/admin/skills', { name: 'x' })).status).toBe(403);
  });

  test('plans: add, change, delete, each told', async () => {
    const body = { name: `Gold ${unique()}`, points: 900, image_cost: '3' };
    const added = await su.api.post('/api/admin/plans', body);
    const { id } = added.body;
    expect(added.body).toEqual({
      ...body,
      id,
      image_cost: 3,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const path = `/api/admin/plans/${id}`;
    expect((await su.api.put(path, { points: 901 })).body).toMatchObject({ name: body.name, points: 901 });
    const teacher = await service.user({ platform: 'teacher', plan: id });
    expect((await su.api.delete(path)).status).toBe(409);
    await teacher.api.put('/api/me', { plan: 1 });
    expect((await su.api.delete(path)).status).toBe(200);
    const told = (await service.published('plan.changed')).filter((event) => event.id === id);
    expect(told.map(({ version, deleted, points }) => [version, deleted, points])).toEqual([
      [1, false, 900],
      [2, false, 901],
      [3, true, 901],
    ]);
    expect((await service.api.service('calls').get(`/internal/plans/${id}`)).body).toEqual(told.at(-1));
    expect((await service.api.service('calls').get('/internal/plans/999')).status).toBe(404);
    expect((await service.api.anonymous.get('/api/plans')).body.map((plan: { id: number }) => plan.id)).toEqual([
      1, 2, 3,
    ]);
    expect((await su.api.post('/api/admin/plans', { name: 'x', points: -1 })).body.errors).toEqual({
      points: ['The points field must be at least 0.'],
      image_cost: ['The image cost field is required.'],
    });
  });
});

describe('audit log', () => {
  test('holds what other services tell, newest first, for su only, and nobody changes it', async () => {
    const told = {
      admin_id: 7,
      admin_name: 'Ädmin',
      action: 'withdrawal.updated',
      subject: 'withdrawal:12',
      before: { status: 'pending' },
      after: { status: 'success' },
      request_id: 'r1',
      acted_at: '2026-11-20T21:04:06.593904Z',
    };
    await service.hear('admin.acted', told);
    const { acted_at: created_at, ...rest } = told;
    const page = await su.api.post('/api/admin/auditall', {
      filter_value: 'withdrawal:12',
      admin_id: 7,
      from: '2026-11-20',
      to: '2026-11-20',
    });
    expect(page.body).toMatchObject({ total: 1, data: [{ ...rest, created_at }] });
    expect((await su.api.post('/api/admin/auditall', { filter_value: 'admin', to: '2026-11-19' })).body.total).toBe(0);
    expect((await (await admin()).api.post('/api/admin/auditall', {})).status).toBe(403);
    for (const statement of ['delete from audit', `update audit set action = 'x'`, 'truncate audit'])
      await expect(service.rows(statement)).rejects.toThrow('permission denied');
  });
});

describe('statistics', () => {
  test('are gathered from the services; one that is down contributes what it told last', async () => {
    const first = await su.api.get('/api/admin/stats');
    expect(first.body).toEqual({
      users: expect.any(Number),
      students: expect.any(Number),
      teachers: expect.any(Number),
      admins: expect.any(Number),
      deposits: { count: 2, amount: 300, by_status: { initiated: 0, pending: 0, success: 1, failed: 1, canceled: 0 } },
      withdrawals: {
        count: 1,
        amount: 50,
        by_status: { initiated: 0, pending: 1, success: 0, failed: 0, canceled: 0 },
      },
      calls: { count: 3, active: 1, seconds: 120, revenue: 90, commission: 9 },
      rooms: 4,
      messages: 7,
      as_of: expect.stringMatching(/\.\d{6}Z$/),
    });
    expect(first.body.users).toBe(first.body.students + first.body.teachers);
    world.down = true;
    expect((await su.api.get('/api/admin/stats')).body).toEqual(first.body);
    await service.restart();
    const { as_of: _first, ...before } = first.body;
    const { as_of: _second, ...after } = (await su.api.get('/api/admin/stats')).body;
    expect(after).toEqual(before);
    world.down = false;
  });
});

test('every snapshot that identity owns can be told again', async () => {
  await service.user({ platform: 'teacher' });
  const { bus, database, parts } = service.service;
  const told = await Promise.all(
    ['user.changed', 'devices.changed', 'admin.changed', 'setting.changed', 'plan.changed'].map((name) =>
      resync({ name, consumer: 'wallet', snapshots: parts.snapshots!, manager: database.manager, bus }),
    ),
  );
  expect(told[0]).toBeGreaterThan(0);
  expect(told[3]).toBe(7);
});
