import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, topology } from '@tutoring/shared/contract/bus';
import type { Bus } from '@tutoring/shared/kit/events/bus';
import { bearer, secretOf } from '@tutoring/shared/kit/identity/bearer';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { signerOf } from '@tutoring/shared/testing/keys';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually, NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import { startCable } from './cable.ts';
import { answers, type Received } from './stand-in.ts';
import { admin, client, signer, startSystem, student, tokenOf, type System } from './system.ts';

/** Verifies identities as messaging does. */
const messaging = signerOf('messaging');
const callerOf = (received: Received | undefined) =>
  messaging.verify(received?.headers['x-identity'] as string | undefined);

let system: System;
let bus: Bus;
/** What the gateway logs as errors. */
const errors: string[] = [];
beforeAll(async () => {
  // Verdicts end only by revocation: even a busy machine does not count as disconnected from NATS.
  const errorLogger = createLogger('gateway', 'error', { write: (line) => void errors.push(line) });
  system = await startSystem({ timings: { verdict: 600_000, natsSilence: 60_000 }, logger: errorLogger });
  const logger = createLogger('test', 'silent');
  bus = await connectBus({ url: infra().natsUrl, prefix: system.prefix, name: 'test', limits: testLimits, logger });
});
afterAll(async () => {
  for (const stream of topology.streams) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
  await bus.close();
  await system.stop();
});
beforeEach(() => {
  system.identity.questions.length = 0;
  system.messaging.received.length = 0;
});

/** The three subjects of identity's revocations: the hint, the relayed event, and its copy, which its stream republishes. */
const SUBJECT_PREFIX = { hint: 'hints', event: 'revocations', 'republished event': 'events' };

/** Identity at a logout: it revokes the token, then publishes. */
async function revoke(token: string, id: number, how: keyof typeof SUBJECT_PREFIX, tokenIds = [id]) {
  system.identity.callers.delete(token);
  const data = { subject: `user:${id}`, token_ids: tokenIds };
  const event = { id: randomUUID(), name: 'tokens.revoked', data, context: {}, created_at: new Date().toISOString() };
  const subject = bus.subject(`${SUBJECT_PREFIX[how]}.tokens.revoked`);
  const message = JSON.stringify(how === 'hint' ? data : event);
  if (how === 'event') await bus.js.publish(subject, message, { ...NATS_TIMEOUT, msgID: event.id });
  // Stored in no stream.
  else bus.connection.publish(subject, message);
  await bus.connection.flush();
}

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('the caller', () => {
  test('is sent to the service as a signed identity, and claims of the client are dropped', async () => {
    const token = system.login(student(1));
    await system.api('GET', '/api/rooms?page=2', {
      token,
      headers: {
        'x-identity': signer.sign(admin(9), 'messaging'),
        'x-client-address': '9.9.9.9',
        'x-request-id': 'mine',
        'x-forwarded-for': '8.8.8.8',
        traceparent: TRACEPARENT,
        'if-none-match': 'x',
        range: 'bytes=0-1',
        cookie: 'a=b',
        'user-agent': 'app/1',
        'idempotency-key': 'k1',
      },
    });
    const [received] = system.messaging.received;
    expect(received).toMatchObject({ method: 'GET', path: '/api/rooms?page=2' });
    expect(callerOf(received)).toEqual(student(1));
    const { host, 'x-request-id': id, 'x-identity': identity, ...headers } = received!.headers;
    expect(host).toBe(new URL(system.messaging.url).host);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(identity).toBeDefined();
    expect(headers).toEqual({
      'x-client-address': '127.0.0.1',
      accept: '*/*',
      'accept-language': 'en',
      traceparent: TRACEPARENT,
      'user-agent': 'app/1',
      'idempotency-key': 'k1',
      connection: 'keep-alive',
    });
  });

  test('is not sent for missing, malformed and unknown bearers', async () => {
    const malformed = tokenOf(3).replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
    for (const headers of [
      {},
      { authorization: 'Basic abc' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${malformed}` },
      { authorization: `Bearer ${bearer(3, secretOf('-'.repeat(40)))}` },
      { authorization: `Bearer ${tokenOf(3)}` },
    ]) {
      const answer = await system.api('GET', '/api/rooms', {
        headers: { ...headers, 'x-identity': signer.sign(admin(9), 'messaging') },
      });
      expect(answer.status).toBe(200);
    }
    expect(system.messaging.received.map((each) => each.headers['x-identity'])).toEqual(Array(7).fill(undefined));
    expect(system.identity.questions).toEqual([tokenOf(3)]);
  });

  test('is verified once for many concurrent requests', async () => {
    const token = system.login(student(4));
    await Promise.all(Array.from({ length: 20 }, () => system.api('GET', '/api/rooms', { token })));
    expect(system.identity.questions).toEqual([token]);
    expect(system.messaging.received.map(callerOf)).toEqual(Array(20).fill(student(4)));
  });

  test('is not verified for an unknown route, which is answered with a 404', async () => {
    const answer = await system.api('GET', '/api/nothing', { token: tokenOf(5) });
    expect([answer.status, system.identity.questions]).toEqual([404, []]);
  });
});

describe('a revocation', () => {
  test('is not expected in the empty message with which a relay finds its position in the stream', async () => {
    const token = system.login(student(17));
    await system.api('GET', '/api/rooms', { token });
    const before = errors.length;
    const publishing = bus.js.publish(bus.subject('revocations.tokens.revoked'), '', {
      ...NATS_TIMEOUT,
      expect: { lastSubjectSequence: Number.MAX_SAFE_INTEGER },
    });
    await expect(publishing).rejects.toThrow('wrong last sequence');
    await revoke(token, 17, 'event');
    await eventually('the revocation after it is applied', async () => {
      await system.api('GET', '/api/rooms', { token });
      return system.messaging.received.at(-1)?.headers['x-identity'] === undefined;
    });
    expect(errors.slice(before)).toEqual([]);
  });

  test.each([
    [10, 'event'],
    [11, 'hint'],
    [15, 'republished event'],
  ] as const)('of a token of user %i by %s takes effect at every gateway at once', async (id, how) => {
    const other = await system.addGateway();
    const apis = [system.api, client(other.url)];
    const token = system.login(student(id));
    for (const api of apis) await api('GET', '/api/rooms', { token });
    expect(system.messaging.received.map(callerOf)).toEqual([student(id), student(id)]);
    await revoke(token, id, how);
    for (const api of apis) {
      await eventually('the token is refused', async () => {
        await api('GET', '/api/rooms', { token });
        return callerOf(system.messaging.received.at(-1)) === undefined;
      });
    }
  });

  test("of one token does not affect the person's other tokens; of all tokens revokes them all", async () => {
    const one = system.login({ ...student(12), tokenId: 121 });
    const two = system.login({ ...student(12), tokenId: 122 });
    const ask = async (token: string) => {
      await system.api('GET', '/api/rooms', { token });
      return callerOf(system.messaging.received.at(-1))?.kind ?? 'anonymous';
    };
    expect([await ask(one), await ask(two)]).toEqual(['user', 'user']);
    await revoke(one, 12, 'hint', [121]);
    await eventually('the first token is refused', async () => (await ask(one)) === 'anonymous');
    system.identity.questions.length = 0;
    expect(await ask(two)).toBe('user');
    expect(system.identity.questions).toEqual([]);
    await revoke(two, 12, 'hint', []);
    await eventually('the second token is refused', async () => (await ask(two)) === 'anonymous');
  });

  test('takes precedence over a verification in flight', async () => {
    const token = system.login(student(13));
    const otherToken = system.login(student(14));
    await system.api('GET', '/api/rooms', { token: otherToken });
    const held = Promise.withResolvers<void>();
    system.identity.hold(() => held.promise);
    const request = system.api('GET', '/api/rooms', { token });
    await eventually('identity has the request', () => system.identity.questions.includes(token));
    system.identity.hold(async () => undefined);
    await revoke(token, 13, 'hint');
    await revoke(otherToken, 14, 'hint');
    await eventually('the gateway has received both revocations', async () => {
      await system.api('GET', '/api/rooms', { token: otherToken });
      return callerOf(system.messaging.received.at(-1)) === undefined;
    });
    system.messaging.received.length = 0;
    held.resolve();
    await request;
    expect(system.messaging.received.map(callerOf)).toEqual([undefined]);
    expect(system.identity.questions.filter((asked) => asked === token)).toHaveLength(2);
  });
});

describe('without identity', () => {
  test('cached verdicts remain valid, and unknown tokens get a 503 on routes that need a caller', async () => {
    const own = await startSystem({ timings: { verdict: 100, natsSilence: 60_000 } });
    const known = own.login(student(1));
    const unknown = own.login(student(2));
    const me = async (token: string) => (await own.api('GET', '/api/rooms', { token })).status;
    // Verdicts are used beyond their time to live only while NATS is connected.
    await eventually('the verdict is cached', async () => {
      await me(known);
      own.identity.questions.length = 0;
      await me(known);
      return own.identity.questions.length === 0;
    });
    await own.identity.stop();
    const stoppedAt = Date.now();
    await eventually('the verdict has expired', () => Date.now() - stoppedAt > 100);
    await me(known);
    expect(callerOf(own.messaging.received.at(-1))).toEqual(student(1));
    own.messaging.respondWith((_req, res, { headers }) =>
      (headers['x-identity'] ? answers(200, []) : answers(401, { code: 'unauthenticated', message: 'x' }))(_req, res, {
        method: '',
        path: '',
        headers,
        body: '',
      }),
    );
    const stranger = await own.api('GET', '/api/rooms', { token: unknown });
    expect([stranger.status, stranger.body]).toEqual([
      503,
      { success: false, statusCode: 503, message: 'A service is unavailable. Please try again.' },
    ]);
    expect(await me(known)).toBe(200);
    const nobody = await own.api('GET', '/api/rooms');
    expect([nobody.status, nobody.body.statusCode]).toEqual([200, 401]);
    const open = await own.api('GET', '/api/services', { token: unknown });
    expect([open.status, open.body.success]).toEqual([200, true]);
    await own.stop();
  });
});

describe('without NATS', () => {
  let cable: Awaited<ReturnType<typeof startCable>>;
  let own: System;
  beforeEach(async () => {
    cable = await startCable(infra().natsUrl);
    own = await startSystem({ env: { NATS_URL: cable.url }, timings: { verdict: 600_000 } });
  });
  afterEach(async () => {
    cable.repair();
    await own.stop();
    await cable.stop();
  });

  test.each(['disconnect', 'freeze'] as const)('a verdict is used for one second (%s)', async (fault) => {
    const token = own.login(student(1));
    const asks = async () => {
      own.identity.questions.length = 0;
      await own.api('GET', '/api/rooms', { token });
      return own.identity.questions.length;
    };
    await eventually('the verdict is cached', async () => (await asks()) === 0);
    cable[fault]();
    own.identity.callers.delete(token);
    await eventually('the revocation takes effect', async () => {
      await own.api('GET', '/api/rooms', { token });
      return callerOf(own.messaging.received.at(-1)) === undefined;
    });
    // Verdicts from before or during the interruption are verified again: a revocation may have been missed.
    const again = own.login(student(2));
    await own.api('GET', '/api/rooms', { token: again });
    cable.repair();
    own.identity.callers.delete(again);
    await eventually('the missed revocation takes effect', async () => {
      await own.api('GET', '/api/rooms', { token: again });
      return callerOf(own.messaging.received.at(-1)) === undefined;
    });
  });
});
