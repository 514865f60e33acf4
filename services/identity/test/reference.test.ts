import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

interface Reference {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: { required?: string[] } }> } }>
  >;
}

test('the API reference lists every endpoint of identity', async () => {
  const { body } = await service.api.anonymous.get('/internal/openapi.json');
  const { paths } = body as Reference;
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  );
  expect(listed.sort()).toEqual(
    [
      'post /api/auth/login',
      'post /api/auth/login/send-code',
      'post /api/auth/getToken',
      'post /api/auth/register',
      'post /api/auth/register/verify',
      'post /api/auth/register/send-code',
      'post /api/auth/logout',
      'post /api/auth/reset-password-send-code',
      'post /api/auth/reset-password-verify-code',
      'post /api/auth/reset-password',
      'get /api/auth/tokens',
      'post /api/auth/tokens',
      'delete /api/auth/tokens/{id}',
      'get /api/auth/sessions',
      'delete /api/auth/sessions',
      'delete /api/auth/sessions/{id}',
      'put /api/auth/device',
      'get /api/me',
      'get /api/me/export',
      'put /api/me',
      'delete /api/me',
      'post /api/me/photo',
      'delete /api/me/photo',
      'get /api/photos/{key}',
      'get /api/skills',
      'get /api/plans',
      'get /api/teachers',
      'get /api/teachers/{id}',
      'get /api/favourites',
      'put /api/favourites/{teacher_id}',
      'delete /api/favourites/{teacher_id}',
      'get /api/assets/avatar.png',
      'post /api/admin/auth/login',
      'post /api/admin/auth/logout',
      'get /api/admin/auth/me',
      'get /api/admin/auth/rights',
      'get /api/admin/roles',
      'put /api/admin/admins/{id}/roles',
      'get /api/admin/invitations',
      'post /api/admin/invitations',
      'post /api/admin/invitations/{id}/resend',
      'delete /api/admin/invitations/{id}',
      'post /api/admin/auth/invitations/accept',
      'put /api/admin/auth/me',
      'post /api/admin/auth/reset-password-send-code',
      'post /api/admin/auth/reset-password',
      'get /api/admin/auth/totp',
      'get /api/admin/admins/access',
      'post /api/admin/auth/totp',
      'put /api/admin/auth/totp',
      'delete /api/admin/auth/totp',
      'get /api/admin/admins',
      'post /api/admin/admins',
      'get /api/admin/admins/{id}',
      'put /api/admin/admins/{id}',
      'post /api/admin/settingsall',
      'get /api/admin/settings/{id}',
      'put /api/admin/settings/{id}',
      'post /api/admin/usersall',
      'get /api/admin/users/{id}',
      'put /api/admin/users/{id}',
      'post /api/admin/skills',
      'put /api/admin/skills/{id}',
      'delete /api/admin/skills/{id}',
      'post /api/admin/plans',
      'put /api/admin/plans/{id}',
      'delete /api/admin/plans/{id}',
      'post /api/admin/auditall',
      'get /api/admin/stats',
      'get /api/admin/stats/daily',
    ].sort(),
  );
  const register = paths['/api/auth/register']!['post']!.requestBody!.content['application/json']!.schema;
  expect(register.required).toEqual(['name', 'email', 'phone_number', 'platform', 'gauth_type', 'domains']);
});
