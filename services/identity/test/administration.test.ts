import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  service = await startIdentity();
  su = await service.su();
});
afterAll(() => service.end());

const RECORD_NOT_FOUND = [404, { code: 'not_found', message: 'The record could not be found.' }];
const answerOf = (answer: { status: number; body: unknown }) => [answer.status, answer.body];

describe('users', () => {
  test('administrators find users by name, e-mail, phone number, id, status, platform and day', async () => {
    const bob = await service.admin();
    const user = await service.user({ platform: 'teacher', name: 'Zoé Brûlé', phone_number: '+2250707070707' });
    const find = async (body: object) =>
      (await bob.api.post('/api/admin/usersall', body)).body.data.map((found: { id: number }) => found.id);
    const today = user.view.created_at.slice(0, 10);
    for (const filter_value of ['zoe brule', user.email, '0707070707', '+225 07 07-07 0707', String(user.id)])
      expect(await find({ filter_value })).toContain(user.id);
    expect(
      await find({ filter_value: 'zoe', platform: 'teacher', status: 'active', verified: 0, from: today, to: today }),
    ).toEqual([user.id]);
    expect(await find({ filter_value: 'zoe', platform: 'student' })).toEqual([]);
    expect(await find({ filter_value: 'zoe', to: '2001-01-01' })).toEqual([]);
    expect(await find({ filter_value: '@@@' })).toEqual([]);
    expect((await su.api.post('/api/admin/auditall', { filter_value: '@@@' })).body.total).toBe(0);
    expect((await bob.api.post('/api/admin/settingsall', { filter_value: '@@@' })).body.total).toBe(0);
    await bob.api.put(`/api/admin/users/${user.id}`, { verified: true });
    const verified = await bob.api.post('/api/admin/usersall?verified=true&filter_value=zoe');
    expect(verified.body.data.map((found: { id: number }) => found.id)).toEqual([user.id]);
    expect((await bob.api.post('/api/admin/usersall', { status: 'x' })).body.errors).toEqual({
      status: ['The selected status is invalid.'],
    });
  });

  test('a user whose id is searched for comes first, for every page size', async () => {
    const user = await service.user();
    const other = await service.user({ name: `Number ${user.id}` });
    const page = async (more: object) => {
      const { body } = await su.api.post('/api/admin/usersall', { filter_value: String(user.id), ...more });
      return [body.total, body.data[0].id];
    };
    expect(await page({})).toEqual([2, user.id]);
    expect(await page({ pageItems: 1 })).toEqual([2, user.id]);
    expect(await page({ pageItems: 1, page: 2 })).toEqual([2, other.id]);
  });

  test('users are found by a phone number that was registered with spaces', async () => {
    const user = await service.user({ phone_number: '+228 90 11 22 33' });
    for (const filter_value of ['+228 90 11 22 33', '+22890112233', '90112233']) {
      const found = (await su.api.post('/api/admin/usersall', { filter_value })).body.data;
      expect(found.map(({ id }: { id: number }) => id)).toEqual([user.id]);
    }
  });

  test('errors for taken names and malformed fields of plans are returned together', async () => {
    const answer = await su.api.post('/api/admin/plans', { name: 'basic', points: -1, image_cost: 1 });
    expect(answer.body.errors).toEqual({
      name: ['The name has already been taken.'],
      points: ['The points field must be at least 0.'],
    });
  });

  test('a ban and its end change the user, are logged and are published; a ban ends the tokens', async () => {
    const bob = await service.admin();
    const user = await service.user();
    const banned = await bob.api.put(`/api/admin/users/${user.id}`, { status: 'banned', reason: ' Insults. ' });
    const ban = { by: { id: bob.id, name: 'Bob' }, at: expect.any(String), reason: 'Insults.' };
    expect(banned.body).toEqual({ ...user.view, status: 'banned', banned: ban, updated_at: expect.any(String) });
    expect((await bob.api.get(`/api/admin/users/${user.id}`)).body.banned).toEqual(ban);
    expect((await service.verifyToken(user.token)).status).toBe(401);
    expect((await service.login(user.email)).status).toBe(404);
    await bob.api.put(`/api/admin/users/${user.id}`, { status: 'active' });
    expect((await bob.api.get(`/api/admin/users/${user.id}`)).body.banned).toBeNull();
    expect((await service.login(user.email)).status).toBe(200);
    const events = (await service.published('user.changed')).filter((event) => event.id === user.id);
    expect(events.map((event) => event.status)).toEqual(['active', 'banned', 'active']);
    expect(JSON.stringify(events)).not.toContain('Insults');
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
      after: { status: 'banned', verified: false, reason: 'Insults.' },
      request_id: expect.any(String),
      created_at: expect.stringMatching(/\.\d{6}Z$/),
    });
  });

  test('ending a lock-out is logged with its reason and changes nothing else', async () => {
    const user = await service.user();
    const free = () => su.api.put(`/api/admin/users/${user.id}`, { status: 'active', reason: 'She called.' });
    for (let n = 0; n < 10; n += 1) await service.login(user.email, 'wrong');
    expect((await free()).body).toEqual({ ...user.view, banned: null });
    expect((await free()).body).toEqual({ ...user.view, banned: null });
    const entries = (await service.published('admin.acted')).filter(({ subject }) => subject === `user:${user.id}`);
    const standing = { status: 'active', verified: false };
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['user.updated', standing, { ...standing, lockout: 'ended', reason: 'She called.' }],
    ]);
  });

  test('only teachers can be verified; unknown ids and ids of administrators are a 404', async () => {
    const user = await service.user();
    expect((await su.api.put(`/api/admin/users/${user.id}`, { verified: true })).body.errors).toEqual({
      verified: ['Only a teacher can be verified.'],
    });
    for (const id of [su.id, 999_999, 'x']) {
      expect(answerOf(await su.api.get(`/api/admin/users/${id}`))).toEqual(RECORD_NOT_FOUND);
      expect(answerOf(await su.api.put(`/api/admin/users/${id}`, { status: 'active' }))).toEqual(RECORD_NOT_FOUND);
    }
    expect((await su.api.get(`/api/admin/users/${user.id}`)).body).toEqual({ ...user.view, banned: null });
  });
});

describe('catalogue', () => {
  test('skills can be added, renamed and deleted; 422 for a taken name, 409 in use, 404 if unknown', async () => {
    const added = await su.api.post('/api/admin/skills', { name: 'Drawing' });
    expect(added.body).toEqual({
      id: expect.any(Number),
      name: 'Drawing',
      created_at: expect.any(String),
      updated_at: added.body.created_at,
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
    const bob = await service.admin();
    expect((await bob.api.post('/api/admin/skills', { name: 'x' })).status).toBe(403);
  });

  test('plans can be added, changed and deleted, and each change publishes an event', async () => {
    const body = { name: `Gold ${unique()}`, points: 900, image_cost: '3' };
    const added = await su.api.post('/api/admin/plans', body);
    const { id } = added.body;
    expect(added.body).toEqual({
      ...body,
      id,
      image_cost: 3,
      created_at: expect.any(String),
      updated_at: added.body.created_at,
    });
    const path = `/api/admin/plans/${id}`;
    expect((await su.api.put(path, { points: 901 })).body).toMatchObject({ name: body.name, points: 901 });
    const teacher = await service.user({ platform: 'teacher', plan: id });
    expect((await su.api.delete(path)).status).toBe(409);
    await teacher.api.put('/api/me', { plan: 1 });
    expect((await su.api.delete(path)).status).toBe(200);
    const events = (await service.published('plan.changed')).filter((event) => event.id === id);
    expect(events.map(({ version, deleted, points }) => [version, deleted, points])).toEqual([
      [1, false, 900],
      [2, false, 901],
      [3, true, 901],
    ]);
    expect((await service.api.service('calls').get(`/internal/plans/${id}`)).body).toEqual(events.at(-1));
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
  test('an update that changes nothing adds no entry and publishes no event', async () => {
    const publishedEntries = async () => (await service.published('admin.acted')).length;
    const [{ id: skill, name }] = (await su.api.get('/api/skills')).body;
    const [plan] = (await su.api.get('/api/plans')).body;
    const [setting] = (await su.api.post('/api/admin/settingsall', {})).body.data;
    const user = await service.user({ platform: 'teacher', domains: [skill] });
    const bob = await service.admin();
    const before = await publishedEntries();
    const renamed = await su.api.put(`/api/admin/skills/${skill}`, { name });
    expect([renamed.status, renamed.body.name]).toEqual([200, name]);
    for (const body of [{}, { points: plan.points }, { name: plan.name, image_cost: plan.image_cost }])
      expect(answerOf(await su.api.put(`/api/admin/plans/${plan.id}`, body))).toEqual([200, plan]);
    expect((await su.api.put(`/api/admin/settings/${setting.id}`, { value: setting.value })).body).toEqual(setting);
    const standing = { status: 'active', verified: false, reason: 'Nothing.' };
    expect((await su.api.put(`/api/admin/users/${user.id}`, standing)).body).toEqual({ ...user.view, banned: null });
    expect((await su.api.put(`/api/admin/admins/${bob.id}`, { status: 'active' })).status).toBe(200);
    expect((await bob.api.put('/api/admin/auth/me', { name: bob.name, email: bob.email })).body).toEqual(bob.view);
    expect(await publishedEntries()).toBe(before);
    const plans = await service.published('plan.changed');
    expect(plans.filter(({ id }) => id === plan.id)).toHaveLength(1);
  });

  test('super administrators see the actions in all services, newest first; nobody can change the log', async () => {
    const entry = {
      admin_id: 7,
      admin_name: 'Ädmin',
      action: 'withdrawal.updated',
      subject: 'withdrawal:12',
      before: { status: 'pending' },
      after: { status: 'success' },
      request_id: 'r1',
      acted_at: '2026-11-20T21:04:06.593904Z',
    };
    await service.receive('admin.acted', entry, 'wallet');
    // As a wallet of the previous release publishes it.
    await service.receive('admin.acted', { ...entry, subject: 'withdrawal:13' });
    const { acted_at: created_at, ...rest } = entry;
    const page = await su.api.post('/api/admin/auditall', {
      filter_value: 'withdrawal:12',
      admin_id: 7,
      from: '2026-11-20',
      to: '2026-11-20',
    });
    expect(page.body).toMatchObject({ total: 1, data: [{ ...rest, created_at }] });
    const older = await su.api.post('/api/admin/auditall', { filter_value: 'withdrawal:13' });
    expect(older.body).toMatchObject({ total: 1, data: [{ ...rest, subject: 'withdrawal:13' }] });
    expect((await su.api.post('/api/admin/auditall', { filter_value: 'admin', to: '2026-11-19' })).body.total).toBe(0);
    const words = { ...entry, admin_id: 700_007, action: 'user.updated', after: { status: 'banned', ref: 'TX-77' } };
    const { id } = await service.user({ name: 'Fatou Sarr' });
    await service.receive('admin.acted', { ...words, subject: `user:${id}` });
    const found = async (body: object) => {
      const { data } = (await su.api.post('/api/admin/auditall', { ...body, admin_id: 700_007 })).body;
      return (data as { subject: string }[]).map(({ subject }) => subject);
    };
    for (const filter_value of ['banned', 'tx-77', 'fatou'])
      expect(await found({ filter_value })).toEqual([`user:${id}`]);
    for (const filter of [
      { action: 'user' },
      { action: 'user.updated' },
      { subject: 'user' },
      { subject: `user:${id}` },
    ])
      expect(await found(filter)).toEqual([`user:${id}`]);
    expect(await found({ action: 'withdrawal' })).toEqual([]);
    expect(await found({ subject: 'use' })).toEqual([]);
    expect((await (await service.admin()).api.post('/api/admin/auditall', {})).status).toBe(403);
    for (const statement of ['delete from audit', `update audit set action = 'x'`, 'truncate audit'])
      await expect(service.rows(statement)).rejects.toThrow('permission denied');
  });
});
