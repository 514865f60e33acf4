import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import { redocly, spectral } from './reference-lint.ts';
import { startSystem, type System } from './system.ts';

/* The guarantees for developers who generate a client from the reference. */

type Json = Record<string, unknown>;
interface Media {
  schema: Json & { required?: string[] };
  example?: unknown;
}
interface Operation extends Json {
  operationId: string;
  description?: string;
  parameters?: (Json & { name?: string })[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, { headers?: Json; content?: Record<string, Media> }>;
}
interface Reference {
  info: Json;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Json> };
}

let system: System;
let source: string;
let reference: Reference;
beforeAll(async () => {
  system = await startSystem();
  source = (await system.request('GET', 'api/openapi.json')).text;
  reference = JSON.parse(source) as Reference;
});
afterAll(async () => {
  await system.stop();
});

const operations = () =>
  Object.entries(reference.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  );
const operation = (method: string, path: string) => reference.paths[path]![method]!;

test('redocly (recommended) and spectral (oas) find no error and no warning', async () => {
  expect(await redocly(source)).toEqual([]);
  expect(await spectral(source)).toEqual([]);
});

test('every operation has a description in sentences and a unique id', () => {
  const bare = operations().filter(({ description = '' }) => !/^[A-Z].{30,}\.$/s.test(description));
  expect(bare.map(({ name }) => name)).toEqual([]);
  const ids = operations().map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
});

test('every request body and every successful JSON response has an example', () => {
  const media = operations().flatMap(({ name, requestBody, responses }) => [
    ...Object.values(requestBody?.content ?? {}).map((part) => ({ name: `${name} request`, ...part })),
    ...['200', '201'].flatMap((status) => {
      const part = responses[status]?.content?.['application/json'];
      return part ? [{ name: `${name} ${status}`, ...part }] : [];
    }),
  ]);
  expect(media.length).toBeGreaterThan(100);
  expect(media.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([]);
});

test('a request body is required if it has a required field', () => {
  const withBody = operations().flatMap(({ name, requestBody }) =>
    requestBody
      ? [{ name, required: requestBody.required, schema: Object.values(requestBody.content)[0]!.schema }]
      : [],
  );
  const needs = ({ schema }: { schema: Media['schema'] }) => schema.required !== undefined || 'allOf' in schema;
  const wrong = withBody.filter((body) => body.required !== needs(body));
  expect(wrong.map(({ name }) => name)).toEqual([]);
  expect(
    withBody
      .filter(({ required }) => !required)
      .map(({ name }) => name.split(' ')[1])
      .sort(),
  ).toEqual([
    '/api/admin/auditall',
    '/api/admin/auth/login',
    '/api/admin/auth/me',
    '/api/admin/auth/reset-password-send-code',
    '/api/admin/bookingsall',
    '/api/admin/breaksall',
    '/api/admin/calls/{identifier}/refund',
    '/api/admin/callsall',
    '/api/admin/deposit-refundsall',
    '/api/admin/depositsall',
    '/api/admin/desk/cases/{id}',
    '/api/admin/desk/casesall',
    '/api/admin/disputesall',
    '/api/admin/payout-batches/{id}/approve',
    '/api/admin/payout-batches/{id}/cancel',
    '/api/admin/payout-batchesall',
    '/api/admin/plans/{id}',
    '/api/admin/reportsall',
    '/api/admin/reviewsall',
    '/api/admin/services/{id}',
    '/api/admin/settingsall',
    '/api/admin/users/{id}',
    '/api/admin/usersall',
    '/api/admin/withdrawalsall',
    '/api/auth/login',
    '/api/auth/reset-password-send-code',
    '/api/auth/reset-password-verify-code',
    '/api/bookings/{id}/cancel',
    '/api/bookings/{id}/confirm',
    '/api/bookings/{id}/decline',
    '/api/deposits/{id}/refunds',
    '/api/me',
    '/api/me',
    '/api/paymentsall',
    '/api/rooms/{uuid}/read',
  ]);
});

test('every operation that accepts Idempotency-Key documents the header and the replay', () => {
  const keyed = operations().filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'));
  expect(keyed.map(({ name }) => name).sort()).toEqual([
    'POST /api/admin/calls/{identifier}/refund',
    'POST /api/admin/desk/cases',
    'POST /api/admin/desk/cases/{id}/notes',
    'POST /api/admin/desk/replies',
    'POST /api/admin/invitations',
    'POST /api/admin/payout-batches',
    'POST /api/admin/rooms/{uuid}/messages',
    'POST /api/bookings',
    'POST /api/calls/{identifier}/review',
    'POST /api/deposits',
    'POST /api/deposits/{id}/refunds',
    'POST /api/payout-accounts',
    'POST /api/reports',
    'POST /api/rooms/{uuid}/messages',
    'POST /api/support/messages',
    'POST /api/withdrawals',
  ]);
  for (const { parameters, responses } of keyed) {
    expect(parameters?.find(({ name }) => name === 'Idempotency-Key')).toMatchObject({
      in: 'header',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      description: expect.stringContaining('Idempotent-Replayed'),
    });
    expect(Object.keys(responses['200']!.headers ?? {})).toContain('Idempotent-Replayed');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['409', '422']));
  }
});

describe('documented refusals', () => {
  /** The body statuses of responses whose HTTP status is 200. */
  function bodyStatuses(method: string, path: string): unknown[] {
    const { schema } = operation(method, path).responses['200']!.content!['application/json']!;
    const refusals = (schema['oneOf'] as { $ref?: string }[]).flatMap(({ $ref }) =>
      $ref ? [$ref.split('/').at(-1)!] : [],
    );
    return refusals.map((name) => {
      const statuses = JSON.stringify(reference.components.schemas[name]).matchAll(/"statusCode":\{"const":(\d+)\}/g);
      return [...statuses].map(([, status]) => Number(status)).join();
    });
  }
  const strictResponses = (method: string, path: string) =>
    Object.entries(operation(method, path).responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema['$ref'] as string | undefined;
      return schema ? [`${status} ${schema.split('/').at(-1)}`] : [];
    });

  test('the bill of a call documents status 500 for a call that cannot be billed', () => {
    expect(bodyStatuses('post', '/api/call/bill')).toEqual(['401', '403', '500']);
    expect(strictResponses('post', '/api/call/bill')).toEqual([
      '401 Unauthenticated',
      '402 NotBilled',
      '403 Forbidden',
      '404 NotBilled',
      '409 NotBilled',
    ]);
  });

  test('routes for administrators document 403 for a missing token', () => {
    expect(bodyStatuses('get', '/api/admin/stats')).toEqual(['403', '403']);
    expect(strictResponses('get', '/api/admin/stats')).toEqual(['401 Forbidden']);
    expect(operation('get', '/api/admin/stats').responses['403']!.content!['application/json']!.schema).toEqual({
      oneOf: ['Forbidden', 'SecondFactor'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
    });
  });

  test('paymentsall and register/verify have their own shapes', () => {
    expect(bodyStatuses('post', '/api/paymentsall')).toEqual(['401', '403']);
    expect(strictResponses('post', '/api/paymentsall')).toContain('403 SecondFactor');
    expect(reference.components.schemas['EnvelopedUnauthenticated']).toMatchObject({ required: ['data'] });
    expect(strictResponses('post', '/api/auth/register/verify')).toEqual(['404 NestedNotFound']);
    expect(reference.components.schemas['NestedNotFound']).toMatchObject({
      properties: { message: { required: ['message'] } },
    });
  });

  test('every operation documents the common refusals', () => {
    for (const { name, responses } of operations()) {
      expect([name, Object.keys(responses)]).toEqual([name, expect.arrayContaining(['429', 'default'])]);
      expect([name, JSON.stringify(responses).includes('Problem')]).toEqual([name, false]);
    }
    expect(operation('post', '/api/webhooks/payments/{provider}').responses['400']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Malformed' } } },
    });
  });
});

test('every live event is a webhook with an example', () => {
  expect(Object.keys(reference.webhooks).sort()).toEqual([...Object.keys(liveEvents), 'resync'].sort());
  for (const [name, { post }] of Object.entries(reference.webhooks)) {
    const { example } = post.requestBody!.content['application/json']!;
    expect([name, example, post['tags']]).toEqual([name, expect.any(Object), ['Live events']]);
  }
});

test('the reference has licence and contact', () => {
  expect(reference.info).toMatchObject({
    license: { name: 'MIT', identifier: 'MIT' },
    contact: { url: `${system.url}/api/docs` },
  });
});
