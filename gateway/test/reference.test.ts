import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '@tutoring/shared/kit/errors';
import { serviceConfig } from '@tutoring/shared/contract/config';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { text } from '@tutoring/shared/kit/http/declare/fields';
import { defineService } from '@tutoring/shared/contract/service';
import { startTestService, type TestService } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

/** A real service behind the real gateway. */
const probe = defineService({
  name: 'calls',
  config: serviceConfig,
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: () => ({
    routes: [
      route('post /api/call/init', {
        summary: 'Ring',
        auth: 'student',
        body: z.object({ teacher: text() }),
        response: z.strictObject({ caller: z.int(), teacher: z.string() }),
        errors: ['payment_required'],
        handle: ({ body, caller }) => {
          if (body.teacher === 'poor') throw new AppError('payment_required', 'Not enough money.');
          return { caller: caller.id, teacher: body.teacher };
        },
      }),
      route('get /api/services', {
        summary: 'Services',
        auth: 'public',
        response: z.array(z.strictObject({ id: z.int() }).meta({ id: 'Item' })),
        handle: () => [{ id: 1 }],
      }),
    ],
  }),
});

let service: TestService;
let system: System;
beforeAll(async () => {
  service = await startTestService(probe);
  system = await startSystem({ env: { CALLS_URL: service.url }, timings: { referenceAge: 0 } });
});
afterAll(async () => {
  await system.stop();
  await service.stop();
});

describe('a real service', () => {
  const init = (token: string | undefined, body: unknown, headers = {}) =>
    system.api('POST', '/api/call/init', { ...(token && { token }), body, headers });

  test('gets the caller, refuses and validates, and clients see the envelope', async () => {
    const token = system.login(student(7));
    expect((await init(token, { teacher: ' Ann ' })).body).toEqual({
      success: true,
      statusCode: 200,
      data: { caller: 7, teacher: 'Ann' },
    });
    const poor = await init(token, { teacher: 'poor' });
    expect([poor.status, poor.body]).toEqual([200, { success: false, statusCode: 402, message: 'Not enough money.' }]);
    const invalid = await init(token, {});
    expect([invalid.status, invalid.body]).toEqual([
      422,
      { message: 'The teacher field is required.', errors: { teacher: ['The teacher field is required.'] } },
    ]);
    expect((await init(undefined, {})).body).toEqual({ success: false, statusCode: 401, message: 'Unauthenticated.' });
    const teacher = system.login({ ...student(8), platform: 'teacher' });
    expect((await init(teacher, {})).body).toEqual({ success: false, message: 'Unauthorized access', statusCode: 403 });
  });

  test('refuses unknown routes and methods before it checks the token', async () => {
    const unknown = await system.api('GET', '/api/call/nothing', { token: 'nonsense' });
    expect([unknown.status, unknown.body.message]).toEqual([404, 'The route api/call/nothing could not be found.']);
    const method = await system.api('DELETE', '/api/call/init');
    expect([method.status, method.body.message]).toEqual([405, 'The DELETE method is not supported for this route.']);
  });
});

describe('GET /api/openapi.json', () => {
  const reference = async () => (await system.api('GET', '/api/openapi.json')).body;

  test('describes services as clients see them: with envelope, refusals and headers', async () => {
    const document = await reference();
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'http://public.test' }] });
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/api/call/init', '/api/services', '/api/events']),
    );
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
    const { post } = document.paths['/api/call/init'];
    expect(post.security).toEqual([{ bearer: [] }]);
    expect(post.responses['200'].content['application/json'].schema.oneOf).toEqual([
      {
        type: 'object',
        properties: {
          success: { const: true },
          statusCode: { const: 200 },
          data: expect.objectContaining({ required: ['caller', 'teacher'] }),
        },
        required: ['success', 'statusCode', 'data'],
      },
      { $ref: '#/components/schemas/Unauthenticated' },
      { $ref: '#/components/schemas/PaymentRequired' },
      { $ref: '#/components/schemas/Forbidden' },
    ]);
    const said = (name: string) => document.components.schemas[name].properties;
    expect(said('PaymentRequired')).toMatchObject({ success: { const: false }, statusCode: { const: 402 } });
    expect(said('Forbidden')).toMatchObject({
      statusCode: { const: 403 },
      message: { enum: ['Unauthorized access', 'Accès non autorisé'] },
    });
    expect(said('Unauthenticated').message).toEqual({ enum: ['Unauthenticated.', 'Non authentifié.'] });
    expect(said('RateLimitRefusal').message).toEqual({ enum: ['Too Many Attempts.', 'Trop de tentatives.'] });
    expect(post.responses['402'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/PaymentRequired',
    });
    expect(post.requestBody).toMatchObject({ required: true });
    expect(post.responses['200'].headers['X-RateLimit-Limit']).toEqual({
      $ref: '#/components/headers/X-RateLimit-Limit',
    });
    expect(Object.keys(post.responses)).toEqual(['200', '401', '402', '403', '422', '429', 'default']);
    expect(
      document.paths['/api/services'].get.responses['200'].content['application/json'].schema.properties.data.items,
    ).toEqual({
      $ref: '#/components/schemas/CallsItem',
    });
    expect(document.components.schemas['CallsItem']).toBeDefined();
    const { get: events } = document.paths['/api/events'];
    expect(Object.keys(events.responses)).toEqual(['200', '401', '403', '429', 'default']);
    expect(events.responses['403'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/SecondFactor',
    });
    expect(document.components.schemas['SecondFactor']).toBeDefined();
  });

  test('contains the target of every $ref', async () => {
    const document = await reference();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThan(10);
    for (const path of references) {
      const found = path.split('/').reduce((node, key) => node?.[key], document);
      expect([path, found]).toEqual([path, expect.anything()]);
    }
  });

  test('keeps the part of a service that is down, leaves raw routes raw, and omits unreachable routes', async () => {
    const operation = {
      responses: { '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
    };
    const paths = {
      '/api/webhooks/payments/{provider}': { post: operation },
      '/api/wallet': { get: operation },
      '/api/newer': { get: operation },
    };
    system.wallet.respondWith(answers(200, { openapi: '3.1.0', info: {}, paths, components: {} }));
    const before = await reference();
    const raw = before.paths['/api/webhooks/payments/{provider}'].post;
    expect(raw).toMatchObject({ ...operation, tags: ['Providers'] });
    expect(Object.keys(raw.responses)).toEqual(['200', '429', 'default']);
    expect(before.paths['/api/newer']).toBeUndefined();
    await system.wallet.stop();
    const after = await reference();
    expect(after.paths['/api/wallet']).toEqual(before.paths['/api/wallet']);
    await system.wallet.start();
  });
});

describe('GET /api/docs', () => {
  test('is a page that loads all its parts from this gateway', async () => {
    const page = await system.api('GET', '/api/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(parts).toHaveLength(4);
    for (const path of parts) {
      expect(path).toMatch(/^\/api\/docs\//);
      const part = await system.api('GET', path);
      expect([path, part.status, part.text.length > 100]).toEqual([path, 200, true]);
    }
    expect((await system.api('GET', '/api/docs/')).text).toBe(page.text);
    expect((await system.api('GET', '/api/docs/../../package.json')).status).toBe(404);
    expect((await system.api('GET', '/api/docs/nothing.js')).status).toBe(404);
  });
});

describe('readiness', () => {
  test('begins when every service has been ready once, and remains when one stops', async () => {
    const own = await startSystem({ env: { CALLS_URL: 'http://127.0.0.1:1' }, timings: { readinessPoll: 20 } });
    expect((await own.api('GET', '/livez')).status).toBe(200);
    expect((await own.api('GET', '/readyz')).status).toBe(503);
    await own.stop();
    await eventually('ready', async () => (await system.api('GET', '/readyz')).status === 200);
    await system.messaging.stop();
    expect((await system.api('GET', '/readyz')).body).toEqual({ status: 'ready' });
    await system.messaging.start();
  });
});

describe('cross-origin access', () => {
  test('is allowed for any origin by default, and exposes the headers that apps need', async () => {
    const preflight = await system.api('OPTIONS', '/api/call/init', {
      headers: {
        origin: 'https://app.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,idempotency-key',
      },
    });
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST,PUT,DELETE',
      'access-control-allow-headers': 'authorization,idempotency-key',
    });
    const answer = await system.api('GET', '/api/services', { headers: { origin: 'https://app.test' } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Request-Id', 'X-Status-Code'])
      expect(answer.headers.get('access-control-expose-headers')).toContain(name);
  });

  test('is allowed only for the configured origins', async () => {
    const CORS_ORIGINS = 'https://a.test, capacitor://localhost, https://*.example.test, http://*.localhost:3000';
    const own = await startSystem({ env: { CORS_ORIGINS } });
    const allowed = async (origin: string) =>
      (await own.api('GET', '/api/rooms', { headers: { origin } })).headers.get('access-control-allow-origin');
    const all = ['https://a.test', 'capacitor://localhost', 'https://b-1.example.test', 'http://x.localhost:3000'];
    for (const origin of all) expect(await allowed(origin)).toBe(origin);
    for (const origin of [
      ...['https://c.test', 'ionic://localhost', 'capacitor://localhost.evil.test', 'https://example.test'],
      ...['http://b.example.test', 'https://a.b.example.test', 'https://.example.test', 'https://b.exampleXtest'],
      ...['https://b.example.test.evil.test', 'https://b.example.test:444', 'https://evil.test/b.example.test', 'null'],
    ])
      expect([origin, await allowed(origin)]).toEqual([origin, null]);
    await own.stop();
  });
});
