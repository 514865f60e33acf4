import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connectBus } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { answers } from './stand-in.ts';
import { admin, startSystem, type System } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { AUTH_RATE_LIMIT: '10000' }, timings: { verdict: 600_000 } });
});
afterAll(() => system.stop());

const unauthorized = { success: false, message: 'Unauthorized access', statusCode: 403 };

describe('the second factor of administrators', () => {
  const sentence = (message: string) => ({ success: false, message, statusCode: 403 });

  test('has messages that are relayed unchanged, in any language', async () => {
    for (const message of ['A code is required.', 'The code is invalid.', 'Un code est nécessaire.']) {
      system.identity.respondWith(answers(403, { code: 'second_factor', message }));
      const refused = await system.api('POST', '/api/admin/auth/login');
      expect([refused.status, refused.body]).toEqual([200, sentence(message)]);
      const headers = { 'x-envelope': 'strict' };
      const strict = await system.api('POST', '/api/admin/auth/login', { headers });
      expect([strict.status, strict.body]).toEqual([403, sentence(message)]);
    }
    system.identity.respondWith(answers(403, { code: 'forbidden', message: 'A code is required.' }));
    expect((await system.api('POST', '/api/admin/auth/login')).body).toEqual(unauthorized);
  });

  test('must be set up before an administrator can do anything else', async () => {
    const token = system.login(admin(7));
    system.identity.respondWith(answers(200, { ok: true }));
    system.identity.needsTotp.add(token);
    const refused = sentence('Set up two-factor authentication first.');
    for (const [method, path] of [
      ['GET', '/api/admin/admins'],
      ['POST', '/api/admin/depositsall'],
      ['POST', '/api/admin/rooms/x/messages'],
      ['POST', '/api/admin/services'],
      ['GET', '/api/skills'],
    ] as const) {
      const answer = await system.api(method, path, { token });
      expect([path, answer.status, answer.body]).toEqual([path, 200, refused]);
    }
    const events = await system.api('GET', '/api/events', { token });
    expect([events.status, events.body]).toEqual([403, refused]);
    expect((await system.api('GET', '/api/nowhere', { token })).status).toBe(404);
    for (const [method, path] of [
      ['GET', '/api/admin/auth/me'],
      ['POST', '/api/admin/auth/totp'],
      ['PUT', '/api/admin/auth/totp'],
      ['POST', '/api/admin/auth/logout'],
    ] as const)
      expect((await system.api(method, path, { token })).body).toMatchObject({ success: true });
    system.identity.needsTotp.delete(token);
    const revocation = { subject: 'admin:7', token_ids: [7] };
    const bus = await connectBus({
      url: infra().natsUrl,
      prefix: system.prefix,
      name: 'identity',
      limits: testLimits,
      logger: createLogger('test', 'silent'),
    });
    bus.connection.publish(bus.subject('hints.tokens.revoked'), JSON.stringify(revocation));
    await eventually('the gateway asks identity again', async () => {
      const { body } = await system.api('GET', '/api/admin/admins', { token });
      return body.success === true;
    });
    await bus.close();
  });
});
