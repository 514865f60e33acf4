import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startIdentity, SUPER, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

test('a teacher registers, verifies by code, logs in, is verified by an administrator and logs out', async () => {
  const { anonymous } = service.api;
  const skills = await anonymous.get('/api/skills');
  const plans = await anonymous.get('/api/plans');
  expect(plans.body.map((plan: { name: string }) => plan.name)).toEqual(['Basic', 'Standard', 'Premium']);
  const body = {
    ...service.submission({
      platform: 'teacher',
      plan: plans.body[0].id,
      domains: [skills.body[1].id, skills.body[0].id],
    }),
    verified: true,
  };

  const registered = await anonymous.post('/api/auth/register', body);
  expect([registered.status, registered.body]).toEqual([200, { message: expect.any(String), user: expect.anything() }]);
  const { id } = registered.body.user;
  expect((await service.api.service('wallet').get(`/internal/users/${id}`)).status).toBe(404);

  const code = await service.codeTo(body.email);
  const verified = await anonymous.post('/api/auth/register/verify', {
    email: body.email,
    phone_number: body.phone_number,
    code,
  });
  expect(verified.status).toBe(200);
  expect(verified.body).toMatchObject({
    token_type: 'Bearer',
    user: { id, verified: '0', domains: 'Physics, Mathematics' },
  });

  const login = await service.login(body.email);
  expect(login.body).toMatchObject({ token_type: 'Bearer', user: { id, solde: 0, plan_id: plans.body[0].id } });
  const verdict = await service.verifyToken(login.body.token);
  expect(verdict.body.caller).toEqual({ kind: 'user', id, platform: 'teacher', tokenId: expect.any(Number) });

  const me = service.api.as(verdict.body.caller);
  expect((await me.get('/api/me')).body).toEqual(login.body.user);

  const admin = await anonymous.post('/api/admin/auth/login', SUPER);
  const adminVerdict = await service.verifyToken(admin.body.token);
  expect(adminVerdict.body.caller).toMatchObject({ kind: 'admin', level: 'su' });
  const asAdmin = service.api.as(adminVerdict.body.caller);
  expect((await asAdmin.get('/api/admin/auth/me')).body).toEqual(admin.body.admin);
  const changed = await asAdmin.put(`/api/admin/users/${id}`, { verified: 1 });
  expect(changed.body).toMatchObject({ id, verified: '1' });
  expect(
    (await service.published('user.changed')).filter((event) => event.id === id).map((event) => event.verified),
  ).toEqual([false, true]);
  expect((await service.api.service('calls').get(`/internal/users/${id}`)).body).toEqual(
    (await service.published('user.changed')).at(-1),
  );

  expect((await me.post('/api/auth/logout')).body).toEqual({ message: expect.any(String) });
  expect((await service.verifyToken(login.body.token)).status).toBe(401);
  expect((await service.verifyToken(verified.body.token)).status).toBe(200);
  expect(await service.published('tokens.revoked')).toContainEqual({
    subject: `user:${id}`,
    token_ids: [verdict.body.caller.tokenId],
  });
  await asAdmin.post('/api/admin/auth/logout');
  expect((await service.verifyToken(admin.body.token)).status).toBe(401);
});
