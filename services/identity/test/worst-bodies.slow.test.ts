import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { worstBodies } from './worst-bodies.ts';
import { startIdentity, type TestIdentity } from './identity.ts';

let service: TestIdentity;
beforeAll(async () => {
  service = await startIdentity();
});
afterAll(() => service.end());

/** Generous: the bench measures the real cost; a parser that builds an object for every value takes seconds. */
const MOST_CPU_MS = 2_000;

/** Sends a body and a concurrent request; returns the CPU time of the process for both, in milliseconds. */
async function cpuOf(body: string): Promise<number> {
  const before = process.cpuUsage();
  const answer = service.api.anonymous.post('/api/auth/register', body);
  const live = await service.api.anonymous.get('/livez');
  expect([live.status, (await answer).status]).toEqual([200, 422]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

test.each(Object.entries(worstBodies('name', 'domains')))(
  'a body of %s is refused with a 422, and other requests are served',
  async (_name, body) => {
    // The minimum of three: garbage collection for earlier tests sometimes takes a second.
    const costs = [await cpuOf(body), await cpuOf(body), await cpuOf(body)];
    expect(Math.min(...costs)).toBeLessThan(MOST_CPU_MS);
  },
);

describe('forms', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (body: string) => service.api.anonymous.post('/api/auth/login', body, form);

  test.each([
    ['deep names', `a${'[b]'.repeat(100_000)}=1`],
    ['1,000 long names', Array.from({ length: 1_000 }, (_, index) => `${'k'.repeat(900)}${index}=1`).join('&')],
    ['names of Object.prototype', '__proto__[a]=1&constructor=2&toString=3'],
    ['lists', Array.from({ length: 1_000 }, () => 'email[]=a').join('&')],
  ])('a form with %s does not fail the service', async (_name, body) => {
    expect((await post(body)).status).toBeLessThan(500);
  });

  test('a form with more than 1,000 fields is a 413', async () => {
    const answer = await post(Array.from({ length: 1_001 }, (_, index) => `k${index}=1`).join('&'));
    expect([answer.status, answer.body]).toEqual([
      413,
      { code: 'too_large', message: 'The form has too many fields.' },
    ]);
  });
});

test.each([
  ['a lone surrogate', '{"name":"\\ud83d"}', 'The name field contains invalid characters.'],
  ['a name of Object.prototype', '{"toString":null,"__proto__":null,"name":""}', 'The name field is required.'],
])('a body with %s is a 422', async (_name, body, sentence) => {
  const answer = await service.api.anonymous.post('/api/auth/register?constructor=', body);
  expect([answer.status, answer.body.errors.name]).toEqual([422, [sentence]]);
});

test('invalid JSON inside an unknown field is a 400', async () => {
  for (const body of ['{"unknown":[1,]}', '{"unknown":{"a" 1}}', '{"unknown":"\u0001"}', '{} {}'])
    expect((await service.api.anonymous.post('/api/auth/login', body)).status).toBe(400);
});
