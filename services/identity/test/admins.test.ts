import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isAddedAfter10, SETTINGS } from '@tutoring/shared/contract/settings';
import { PASSWORD, startIdentity, SUPER, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  service = await startIdentity();
  su = await service.su();
});
afterAll(() => service.end());

const RECORD_NOT_FOUND = [404, { code: 'not_found', message: 'The record could not be found.' }];
const answerOf = (answer: { status: number; body: unknown }) => [answer.status, answer.body];

describe('admin sessions', () => {
  test('a login returns the administrator in the same form as the other endpoints', async () => {
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
    const order = ['id', 'name', 'email', 'phone_number', 'status', 'level', 'created_at', 'updated_at'];
    const shown = [await su.api.get(`/api/admin/admins/${su.id}`), await su.api.get('/api/admin/auth/me')];
    const [listed] = JSON.parse((await su.api.get('/api/admin/admins')).text);
    for (const admin of [listed, JSON.parse(login.text).admin, ...shown.map(({ text }) => JSON.parse(text))])
      expect(Object.keys(admin)).toEqual(order);
  });

  test('every refused login is the same 404; users cannot call admin endpoints, nor admins user routes', async () => {
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

  test('ten failed logins lock the account; another administrator can end the lock', async () => {
    const bob = await service.admin();
    for (let n = 0; n < 10; n += 1)
      await service.api.anonymous.post('/api/admin/auth/login', { email: bob.email, password: 'wrong' });
    expect((await service.api.anonymous.post('/api/admin/auth/login', bob)).status).toBe(404);
    expect((await su.api.put(`/api/admin/admins/${bob.id}`, { status: 'active' })).status).toBe(200);
    expect((await service.api.anonymous.post('/api/admin/auth/login', bob)).status).toBe(200);
    const entries = (await service.published('admin.acted')).filter(({ subject }) => subject === `admin:${bob.id}`);
    expect(entries.at(-1)).toMatchObject({ action: 'admin.updated', after: { status: 'active', lockout: 'ended' } });
  });

  test('super administrators see the last login, second factor and live sessions of each administrator', async () => {
    const bob = await service.admin();
    const accessOf = async ({ id }: { id: number }) => {
      const answer = await su.api.get('/api/admin/admins/access');
      const ids = answer.body.map((one: { id: number }) => one.id);
      expect(ids).toEqual((await su.api.get('/api/admin/admins')).body.map((one: { id: number }) => one.id));
      return answer.body.find((one: { id: number }) => one.id === id);
    };
    const first = await accessOf(bob);
    const last_login_at = expect.stringMatching(/[.]\d{6}Z$/);
    expect(first).toEqual({ id: bob.id, last_login_at, totp: false, sessions: 1, roles: ['all'] });
    await service.api.anonymous.post('/api/admin/auth/login', { ...bob, password: 'wrong' });
    expect(await accessOf(bob)).toEqual(first);
    const again = (await service.api.anonymous.post('/api/admin/auth/login', bob)).body.token.split('|')[0];
    const second = await accessOf(bob);
    expect(second).toEqual({ ...first, last_login_at, sessions: 2 });
    expect(second.last_login_at > first.last_login_at).toBe(true);
    await service.rows(
      `update token set created_at = created_at - interval '13 hours', last_used_at = null where id = ${again}`,
    );
    expect(await accessOf(bob)).toEqual({ ...second, sessions: 1 });
    await bob.api.post('/api/admin/auth/logout');
    expect(await accessOf(bob)).toEqual({ ...second, sessions: 0 });
    await service.rows(`insert into admin_totp (admin_id, key_id, sealed) values (${bob.id}, 'k', '')`);
    expect((await accessOf(bob)).totp).toBe(false);
    await service.rows(`update admin_totp set confirmed_at = app_now() where admin_id = ${bob.id}`);
    expect((await accessOf(bob)).totp).toBe(true);
    const carl = {
      email: `carl-${unique()}@example.com`,
      name: 'Carl',
      password: PASSWORD,
      phone_number: '+2250700000000',
    };
    await su.api.post('/api/admin/admins', carl);
    const { id } = (await su.api.get('/api/admin/admins')).body.at(-1);
    expect(await accessOf({ id })).toEqual({ id, last_login_at: null, totp: false, sessions: 0, roles: ['all'] });
    expect((await bob.api.get('/api/admin/admins/access')).status).toBe(403);
  });

  test('a restart creates no second super administrator, plans or settings', async () => {
    await service.restart();
    expect(await service.rows(`select 1 from admin where level = 'su'`)).toHaveLength(1);
    expect(await service.rows('select 1 from plan')).toHaveLength(3);
    expect((await service.rows<{ name: string }>('select name from setting')).map(({ name }) => name).sort()).toEqual(
      Object.keys(SETTINGS).sort(),
    );
  });
});

describe('administrators', () => {
  test('new administrators have the default level, and can be listed and read', async () => {
    const bob = await service.admin();
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

  test('only super administrators create and change administrators; the level cannot be set', async () => {
    const bob = await service.admin();
    const body = { name: 'C', email: `c-${unique()}@example.com`, password: PASSWORD, phone_number: '1', level: 'su' };
    expect((await bob.api.post('/api/admin/admins', body)).status).toBe(403);
    expect((await bob.api.put(`/api/admin/admins/${bob.id}`, { status: 'inactive' })).status).toBe(403);
    await su.api.post('/api/admin/admins', body);
    expect(
      (await su.api.get('/api/admin/admins')).body.find((found: { email: string }) => found.email === body.email).level,
    ).toBe('default');
  });

  test('missing, malformed and taken fields are a 422', async () => {
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

  test('deactivation ends the sessions; the own account and the last super administrator are a 409', async () => {
    const bob = await service.admin();
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

  test('the first page of an upgraded system has the settings that existing apps know', async () => {
    const names = async () =>
      ((await su.api.post('/api/admin/settingsall', {})).body.data as { name: string }[]).map(({ name }) => name);
    const before = await names();
    expect(before).toHaveLength(15);
    expect(before.filter((name) => isAddedAfter10(name))).toEqual([]);
    // A setting added by a later release has the highest id.
    await service.rows(`delete from setting where name = 'max_open_requests'`);
    await service.rows(`insert into setting (name, value, description) values ('max_open_requests', 10, 'At most')`);
    expect(await names()).toEqual(before);
  });

  test('settings are seeded with their defaults and paged', async () => {
    const { body } = await su.api.post('/api/admin/settingsall', { pageItems: 2 });
    const [{ total }] = (await service.rows<{ total: number }>('select count(*) as total from setting')) as [
      { total: number },
    ];
    expect(body).toMatchObject({ current_page: 1, per_page: 2, total, last_page: Math.ceil(total / 2) });
    expect(await find('require_admin_totp')).toEqual({
      id: expect.any(Number),
      name: 'require_admin_totp',
      value: 0,
      description: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const everything = await su.api.post('/api/admin/settingsall', { pageItems: 100 });
    const all = everything.body.data as { name: string; value: number }[];
    expect(Object.fromEntries(all.map(({ name, value }) => [name, value]))).toEqual({
      commission_percent: 0,
      min_deposit: 100,
      min_withdrawal: 1000,
      call_ring_timeout_seconds: 45,
      max_free_rings: 10,
      max_open_requests: 10,
      message_max_length: 5000,
      file_max_mb: 25,
      show_contact_details: 0,
      reset_needs_token: 0,
      max_sends_per_day: 10_000,
      max_sends_per_network: 100,
      require_verified_teacher: 0,
      require_student_alive: 0,
      require_admin_totp: 0,
      booking_auto_confirm: 0,
      booking_cancel_hours: 24,
      rating_prior_reviews: 10,
      ...{ recover_debts: 0, dispute_blocks: 0, deposit_refunds: 0, deposit_refund_days: 90 },
      ...{ max_balance: 0, max_deposits_month: 0, desk_reopen_hours: 72 },
      ...{ payout_account_hold_hours: 0, payout_checker_from: 0, require_payout_account: 0 },
    });
    expect((await su.api.post('/api/admin/settingsall', { pageItems: 0 })).body.errors).toEqual({
      pageItems: ['The page items field must be at least 1.'],
    });
  });

  test('a changed setting is returned and published', async () => {
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
    ['call_ring_timeout_seconds', 0, 'The value field must be at least 1.'],
  ])('setting %s to %s is a 422', async (name, value, text) => {
    const { id } = await find(name);
    expect((await su.api.put(`/api/admin/settings/${id}`, { value })).body.errors).toEqual({ value: [text] });
  });

  test('an unknown setting is a 404, a change by an ordinary administrator a 403', async () => {
    const bob = await service.admin();
    const { id } = await find('min_deposit');
    expect((await bob.api.put(`/api/admin/settings/${id}`, { value: 1 })).status).toBe(403);
    expect((await bob.api.get(`/api/admin/settings/${id}`)).status).toBe(200);
    for (const unknown of ['999', 'x', '99999999999999999999']) {
      expect(answerOf(await su.api.get(`/api/admin/settings/${unknown}`))).toEqual(RECORD_NOT_FOUND);
      expect(answerOf(await su.api.put(`/api/admin/settings/${unknown}`, { value: 1 }))).toEqual(RECORD_NOT_FOUND);
    }
  });
});
