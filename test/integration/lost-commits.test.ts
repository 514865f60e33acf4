import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDatabaseProxy } from '@tutoring/shared/testing/database-proxy';
import type { TestResponse } from '@tutoring/shared/testing/client';
import { infra } from '@tutoring/shared/testing/infra';
import { CASES, startServices, type Case, type Services } from './idempotent-cases.ts';

/* The connection to the database is lost after COMMIT has been executed, before its answer arrives. */

let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let services: Services;

beforeAll(async () => {
  proxy = await startDatabaseProxy(infra().databaseUrl);
  services = await startServices(proxy.through);
});
afterAll(async () => {
  await services.stop();
  await proxy.stop();
});

/** Sends a new request for each of its transactions, whose COMMIT gets no answer. Returns the number of transactions. */
async function losingEachCommit(
  route: string,
  headers: Record<string, string>,
  check: (request: Case, answer: TestResponse) => Promise<void>,
): Promise<number> {
  for (let count = 1; ; count += 1) {
    const request = await CASES[route]!(services);
    await services.consumed();
    const before = proxy.cuts;
    proxy.arm(/COMMIT/, 'after', count);
    const answer = await request.post(headers);
    proxy.disarm();
    if (proxy.cuts === before) return count - 1;
    await check(request, answer);
  }
}

test('every idempotent route is tested here', () => {
  const { identity, wallet, lessons, messaging } = services;
  const all = [identity.service, wallet.service.service, lessons.service.service, messaging.service.service];
  const idempotent = all.flatMap(({ parts }) => parts.routes.filter((spec) => spec.idempotent));
  expect(idempotent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(CASES).sort());
});

describe('a lost answer to COMMIT', () => {
  test.each(Object.keys(CASES))('of %s with a key is answered as done, and a repeat gets the answer', async (route) => {
    const headers = { 'idempotency-key': randomUUID() };
    const transactions = await losingEachCommit(route, headers, async (request, answer) => {
      expect([answer.status, await request.effects()]).toEqual([200, 1]);
      const again = await request.post(headers);
      const scopes = 'select distinct scope from idempotency_key where key = $1';
      expect(await request.service.rows(scopes, [headers['idempotency-key']])).toEqual([{ scope: request.scope }]);
      expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([answer.body, 'true']);
      expect(await request.effects()).toBe(1);
    });
    expect(transactions).toBe(route === 'post /api/deposits' ? 2 : 1);
  });

  // A message without a key is sent in a batch; the client identifies it by `client_message_id`.
  const keyless = Object.keys(CASES).filter((route) => route !== 'post /api/rooms/{uuid}/messages');
  test.each(keyless)('of %s without a key is answered as done', async (route) => {
    await losingEachCommit(route, {}, async (request, answer) => {
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, null]);
      expect(await request.effects()).toBe(1);
    });
  });
});
