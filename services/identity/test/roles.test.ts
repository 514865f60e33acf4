import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ALL_RIGHTS, ROLES } from '@tutoring/shared/contract/rights';
import { PASSWORD, startIdentity, unique, type TestIdentity } from './identity.ts';

let service: TestIdentity;
let su: Awaited<ReturnType<TestIdentity['su']>>;
beforeAll(async () => {
  service = await startIdentity();
  su = await service.su();
});
afterAll(() => service.end());

const answerOf = (answer: { status: number; body: unknown }) => [answer.status, answer.body];
const UPDATED = [200, { message: 'The administrator has been updated.' }];
const FORBIDDEN = [403, { code: 'forbidden', message: 'Unauthorized access' }];

const setRoles = (id: number, roles: unknown) => su.api.put(`/api/admin/admins/${id}/roles`, { roles });
/** The identity that gateways get for a token. */
const callerOf = async (token: string) => (await service.verifyToken(token)).body.caller;
const rightsOf = async (token: string) =>
  (await service.api.as(await callerOf(token)).get('/api/admin/auth/rights')).body;
const actionsOn = async (subject: string) =>
  (await service.published('admin.acted')).filter((entry) => entry.subject === subject);

describe('roles', () => {
  test('every administrator sees the roles with their rights, and the own ones', async () => {
    const bob = await service.admin();
    const roles = Object.entries(ROLES).map(([name, rights]) => ({ name, rights }));
    expect(answerOf(await bob.api.get('/api/admin/roles'))).toEqual([200, roles]);
    expect(await rightsOf(bob.token)).toEqual({ level: 'default', roles: ['all'], rights: ALL_RIGHTS });
    expect(await rightsOf(su.token)).toEqual({ level: 'su', roles: ['all'], rights: ALL_RIGHTS });
    expect((await service.api.anonymous.get('/api/admin/roles')).status).toBe(401);
    expect((await service.api.student(1).get('/api/admin/auth/rights')).status).toBe(403);
  });

  test('a change takes effect on existing tokens, revokes verdicts but no session, and is audited', async () => {
    const bob = await service.admin();
    expect(await callerOf(bob.token)).toEqual({
      kind: 'admin',
      id: bob.id,
      name: 'Bob',
      level: 'default',
      tokenId: Number(bob.token.split('|')[0]),
    });
    expect(answerOf(await setRoles(bob.id, ['viewer', 'support', 'viewer']))).toEqual(UPDATED);
    const rights = ['people', 'trust', 'desk', 'lessons', 'figures'];
    expect(await callerOf(bob.token)).toMatchObject({ id: bob.id, rights });
    expect(await rightsOf(bob.token)).toEqual({ level: 'default', roles: ['support', 'viewer'], rights });
    expect((await service.published('tokens.revoked')).at(-1)).toEqual({
      subject: `admin:${bob.id}`,
      token_ids: [Number(bob.token.split('|')[0])],
    });
    expect((await actionsOn(`admin:${bob.id}`)).at(-1)).toMatchObject({
      admin_id: su.id,
      action: 'admin.updated',
      before: { roles: ['all'] },
      after: { roles: ['support', 'viewer'] },
    });
    expect((await service.published('admin.changed')).at(-1)).toMatchObject({
      id: bob.id,
      roles: ['support', 'viewer'],
    });
    expect((await actionsOn(`admin:${bob.id}`)).length).toBe(2);
    expect(answerOf(await setRoles(bob.id, ['support', 'viewer']))).toEqual(UPDATED);
    expect((await actionsOn(`admin:${bob.id}`)).length).toBe(2);
  });

  test('a login that commits while the roles change gets the new rights', async () => {
    const bob = await service.admin();
    const [entered] = await Promise.all([
      service.api.anonymous.post('/api/admin/auth/login', bob),
      setRoles(bob.id, ['viewer']),
    ]);
    const revoked = (await service.published('tokens.revoked')).filter(({ subject }) => subject === `admin:${bob.id}`);
    const tokenId = Number(entered.body.token.split('|')[0]);
    const { created_at: loggedInAt } = (
      await service.rows<{ created_at: string }>(`select created_at from token where id = ${tokenId}`)
    )[0]!;
    const { updated_at: changedAt } = (
      await service.rows<{ updated_at: string }>(`select updated_at from admin where id = ${bob.id}`)
    )[0]!;
    // A token from before the change is among those that gateways verify again.
    if (loggedInAt < changedAt) expect(revoked.at(-1)?.token_ids).toContain(tokenId);
    expect(await callerOf(entered.body.token)).toMatchObject({ rights: ['people', 'lessons', 'figures'] });
  });

  test.each([
    ['an empty list', [], { roles: ['The roles field is required.'] }],
    ['a missing list', undefined, { roles: ['The roles field is required.'] }],
    ['a text', 'support', { roles: ['The roles field must be an array.'] }],
    ['an unknown role', ['boss'], { 'roles.0': ['The selected roles.0 is invalid.'] }],
    ['a later unknown role', ['support', 'su'], { 'roles.1': ['The selected roles.1 is invalid.'] }],
    ['the name of a property of objects', ['constructor'], { 'roles.0': ['The selected roles.0 is invalid.'] }],
  ])('%s is a 422', async (_what, roles, errors) => {
    const bob = await service.admin();
    const answer = await setRoles(bob.id, roles);
    expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    expect((await rightsOf(bob.token)).roles).toEqual(['all']);
  });

  test('oneself and a super administrator are a 409, an unknown administrator a 404, everybody else a 403', async () => {
    const bob = await service.admin();
    const conflict = (message: string) => [409, { code: 'conflict', message }];
    expect(answerOf(await setRoles(su.id, ['viewer']))).toEqual(conflict('You cannot change your own roles.'));
    const other = service.api.as({ kind: 'admin', id: 900_000, name: 'Other', level: 'su', tokenId: 1 });
    expect(answerOf(await other.put(`/api/admin/admins/${su.id}/roles`, { roles: ['viewer'] }))).toEqual(
      conflict('A super administrator has every right and needs no roles.'),
    );
    for (const unknown of ['999999', 'x']) {
      const answer = await su.api.put(`/api/admin/admins/${unknown}/roles`, { roles: ['viewer'] });
      expect([answer.status, answer.body.message]).toEqual([404, 'The record could not be found.']);
    }
    expect(answerOf(await bob.api.put(`/api/admin/admins/${bob.id}/roles`, { roles: ['all'] }))).toEqual(FORBIDDEN);
  });

  test('a new administrator gets the given roles, and `all` without any', async () => {
    const create = (more: object) => {
      const body = { name: 'Carla', email: `carla-${unique()}@example.com`, password: PASSWORD, phone_number: '1' };
      return su.api.post('/api/admin/admins', { ...body, ...more });
    };
    const newest = async () => (await su.api.get('/api/admin/admins/access')).body.at(-1);
    expect((await create({ roles: ['approver', 'finance', 'approver'] })).status).toBe(201);
    expect((await newest()).roles).toEqual(['finance', 'approver']);
    const { id } = await newest();
    expect((await actionsOn(`admin:${id}`))[0]).toMatchObject({ after: { roles: ['finance', 'approver'] } });
    expect((await create({})).status).toBe(201);
    expect((await newest()).roles).toEqual(['all']);
    expect((await create({ roles: [] })).body.errors).toEqual({ roles: ['The roles field is required.'] });
    expect((await create({ roles: ['x'] })).body.errors).toEqual({ 'roles.0': ['The selected roles.0 is invalid.'] });
    const [first] = (await su.api.get('/api/admin/admins/access')).body;
    expect([first.id, first.roles]).toEqual([su.id, ['all']]);
  });

  test('an administrator that the previous release inserts has the role `all`', async () => {
    const email = `old-${unique()}@example.com`;
    await service.rows(
      `insert into admin (name, email, email_key, password_hash) values ('Old', '${email}', '${email}', '')`,
    );
    expect((await su.api.get('/api/admin/admins/access')).body.at(-1).roles).toEqual(['all']);
  });
});
