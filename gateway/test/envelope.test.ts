import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { answers } from './stand-in.ts';
import { admin, startSystem, student, type System } from './system.ts';

let system: System;
let user: string;
let su: string;
beforeAll(async () => {
  system = await startSystem({ env: { AUTH_RATE_LIMIT: '10000', API_RATE_LIMIT: '10000' } });
  user = system.login(student(1));
  su = system.login(admin(2));
});
afterAll(() => system.stop());

const every = (behaviour: ReturnType<typeof answers>) => {
  for (const service of [system.identity, system.wallet, system.messaging, system.calls])
    service.respondWith(behaviour);
};
beforeEach(() => every(answers(200, { ok: true })));

const plain = (statusCode: number, message: unknown = 'Because.') => ({ success: false, statusCode, message });
const done = (data: unknown, statusCode = 200) => ({ success: true, statusCode, data });
const refusal = (status: number, code: string, message = 'Because.'): [number, unknown] => [status, { code, message }];
const unauthorized = { success: false, message: 'Unauthorized access', statusCode: 403 };

/** The rows of the contract's table: the service's answer, and the client's. */
const rows: [
  name: string,
  method: string,
  path: string,
  upstream: [number, unknown],
  line: number,
  strict: number,
  said: number,
  body: unknown,
][] = [
  ['success', 'GET', '/api/me', [200, { id: 1 }], 200, 200, 200, done({ id: 1 })],
  ['an empty list', 'POST', '/api/call/end', [200, []], 200, 200, 200, done([])],
  ['a created record', 'POST', '/api/rooms', [201, { uuid: 'x' }], 200, 201, 200, done({ uuid: 'x' })],
  ['a created administrator', 'POST', '/api/admin/admins', [201, 'Created.'], 200, 201, 201, done('Created.', 201)],
  [
    '401, user route',
    'GET',
    '/api/rooms',
    refusal(401, 'unauthenticated', 'x'),
    200,
    401,
    401,
    plain(401, 'Unauthenticated.'),
  ],
  [
    '401, paymentsall',
    'POST',
    '/api/paymentsall',
    refusal(401, 'unauthenticated', 'x'),
    200,
    401,
    401,
    { data: { success: false, message: 'Please authenticate to continue.', statusCode: 401 } },
  ],
  ['401, admin route', 'GET', '/api/admin/stats', refusal(401, 'unauthenticated', 'x'), 200, 401, 403, unauthorized],
  ['403, admin route', 'GET', '/api/admin/stats', refusal(403, 'forbidden', 'x'), 200, 403, 403, unauthorized],
  ['403, wrong role', 'POST', '/api/call/init', refusal(403, 'forbidden', 'x'), 200, 403, 403, unauthorized],
  ['402', 'POST', '/api/call/init', refusal(402, 'payment_required'), 200, 402, 402, plain(402)],
  ['404', 'POST', '/api/auth/login', refusal(404, 'not_found'), 200, 404, 404, plain(404)],
  ['409', 'DELETE', '/api/me', refusal(409, 'conflict'), 200, 409, 409, plain(409)],
  ['402 of bill', 'POST', '/api/call/bill', refusal(402, 'payment_required'), 200, 402, 500, plain(500)],
  ['404 of bill', 'POST', '/api/call/bill', refusal(404, 'not_found'), 200, 404, 500, plain(500)],
  ['409 of bill', 'POST', '/api/call/bill', refusal(409, 'conflict'), 200, 409, 500, plain(500)],
  [
    '404 of register/verify',
    'POST',
    '/api/auth/register/verify',
    refusal(404, 'not_found'),
    200,
    404,
    404,
    plain(404, { message: 'Because.' }),
  ],
  [
    '422',
    'POST',
    '/api/auth/register',
    [422, { code: 'invalid', message: 'M. (and 1 more error)', errors: { a: ['M.'], 'b.0': ['N.'] } }],
    422,
    422,
    422,
    { message: 'M. (and 1 more error)', errors: { a: ['M.'], 'b.0': ['N.'] } },
  ],
  [
    '429',
    'POST',
    '/api/auth/register',
    refusal(429, 'rate_limited', 'x'),
    429,
    429,
    429,
    { message: 'Too Many Attempts.' },
  ],
  ['400', 'POST', '/api/rooms', refusal(400, 'malformed'), 400, 400, 400, plain(400)],
  ['405', 'PUT', '/api/rooms', refusal(405, 'method_not_allowed'), 405, 405, 405, plain(405)],
  ['413', 'POST', '/api/rooms', refusal(413, 'too_large'), 413, 413, 413, plain(413)],
  ['415', 'POST', '/api/rooms', refusal(415, 'unsupported_media_type'), 415, 415, 415, plain(415)],
  ['503', 'POST', '/api/rooms', refusal(503, 'unavailable'), 503, 503, 503, plain(503)],
  [
    'unknown route of a service',
    'GET',
    '/api/rooms/1/2/3',
    refusal(404, 'route_not_found', 'The route api/rooms/1/2/3 could not be found.'),
    404,
    404,
    404,
    plain(404, 'The route api/rooms/1/2/3 could not be found.'),
  ],
  ['unknown route below bill', 'POST', '/api/call/bill', refusal(404, 'route_not_found'), 404, 404, 404, plain(404)],
  [
    'unexpected error',
    'GET',
    '/api/rooms',
    refusal(500, 'internal', 'select secret from x'),
    500,
    500,
    500,
    plain(500, 'Server Error'),
  ],
];

describe('the envelope', () => {
  test.each(rows)('%s: %s %s', async (_name, method, path, [status, problem], line, strict, said, body) => {
    every(answers(status, problem));
    // Without a bearer: with a good one the client would get a 503 instead of a service's 401.
    const token = status === 401 ? undefined : path.includes('admin') ? su : user;
    for (const [headers, expected] of [
      [{}, line],
      [{ 'x-envelope': 'strict' }, strict],
    ] as const) {
      const answer = await system.api(method, path, { ...(token && { token }), headers });
      expect([answer.status, answer.text]).toEqual([expected, JSON.stringify(body)]);
      expect(answer.headers.get('x-status-code')).toBe(String(said));
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-ratelimit-limit')).toBe('10000');
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test('of a 429 of a service keeps Retry-After', async () => {
    every(answers(429, { code: 'rate_limited', message: 'x' }, { 'retry-after': '30' }));
    const answer = await system.api('POST', '/api/auth/register');
    expect(answer.headers.get('retry-after')).toBe('30');
    expect(Number(answer.headers.get('x-ratelimit-reset')) - Date.now() / 1000).toBeCloseTo(30, -1);
  });
});
