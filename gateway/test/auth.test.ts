import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connectBus, STREAMS, type Bus } from '@tutoring/shared/events/bus';
import { bearer, secretOf } from '@tutoring/shared/identity/bearer';
import { createLogger } from '@tutoring/shared/process/logger';
import { infra } from '@tutoring/shared/testing/infra';
import { signerOf } from '@tutoring/shared/testing/keys';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually, PATIENT } from '@tutoring/shared/testing/wait';
import { startCable } from './cable.ts';
import { answers, type Received } from './stand-in.ts';
import { admin, client, signer, startSystem, student, tokenOf, type System } from './system.ts';

/** Stand-in of messaging's check. */
const messaging = signerOf('messaging');
const callerOf = (received: Received | undefined) =>
  messaging.verify(received?.headers['x-identity'] as string | undefined);

let system: System;
let bus: Bus;
/** What the gateway logs as errors. */
const errors: string[] = [];
beforeAll(async () => {
  // Only a revocation ends a verdict here: a busy machine does not count as cut off.
  const heard = createLogger('gateway', 'error', { write: (line) => void errors.push(line) });
  system = await startSystem({ timings: { verdict: 600_000, silentLink: 60_000 }, logger: heard });
  const logger = createLogger('test', 'silent');
  bus = await connectBus({ url: infra().natsUrl, prefix: system.prefix, name: 'test', limits: testLimits, logger });
});
afterAll(async () => {
  for (const stream of STREAMS) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
  await bus.close();
  await system.stop();
});
beforeEach(() => {
  system.identity.questions.length = 0;
  system.messaging.received.length = 0;
});

/** Identity's three ways to publish: the hint, the relayed event, and that of the previous release. */
const SAID = { hint: 'hints', event: 'revocations', 'event of the release before': 'events' };

/** Identity at a logout: it revokes the token, then publishes. */
async function revoke(token: string, id: number, how: keyof typeof SAID, tokenIds = [id]) {
  system.identity.callers.delete(token);
  const data = { subject: `user:${id}`, token_ids: tokenIds };
  if (how === 'hint') bus.connection.publish(bus.subject('hints.tokens.revoked'), JSON.stringify(data));
  else {
    const event = { id: randomUUID(), name: 'tokens.revoked', data, context: {}, created_at: new Date().toISOString() };
    await bus.js.publish(bus.subject(`${SAID[how]}.tokens.revoked`), JSON.stringify(event), {
      ...PATIENT,
      msgID: event.id,
    });
  }
  await bus.connection.flush();
}

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('who calls', () => {
  test('the service gets a signed identity; what the client claims is dropped', async () => {
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

  test('anonymous, malformed and unknown bearers are passed on without identity', async () => {
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

  test('many requests at once ask identity once', async () => {
    const token = system.login(student(4));
    await Promise.all(Array.from({ length: 20 }, () => system.api('GET', '/api/rooms', { token })));
    expect(system.identity.questions).toEqual([token]);
    expect(system.messaging.received.map(callerOf)).toEqual(Array(20).fill(student(4)));
  });

  test('an unknown route is a 404 whatever the bearer, and nobody is asked', async () => {
    const answer = await system.api('GET', '/api/nothing', { token: tokenOf(5) });
    expect([answer.status, system.identity.questions]).toEqual([404, []]);
  });
});

describe('a revocation', () => {
  test('a relay that asks for its place in the stream says nothing about tokens', async () => {
    const token = system.login(student(17));
    await system.api('GET', '/api/rooms', { token });
    const before = errors.length;
    const place = bus.js.publish(bus.subject('revocations.tokens.revoked'), '', {
      ...PATIENT,
      expect: { lastSubjectSequence: Number.MAX_SAFE_INTEGER },
    });
    await expect(place).rejects.toThrow('wrong last sequence');
    await revoke(token, 17, 'event');
    await eventually('the revocation behind it is heard', async () => {
      await system.api('GET', '/api/rooms', { token });
      return system.messaging.received.at(-1)?.headers['x-identity'] === undefined;
    });
    expect(errors.slice(before)).toEqual([]);
  });

  test.each([
    [10, 'event'],
    [11, 'hint'],
    [15, 'event of the release before'],
  ] as const)('of user:%i by %s ends the token at every gateway at once', async (id, how) => {
    const other = await system.addGateway();
    const apis = [system.api, client(other.url)];
    const token = system.login(student(id));
    for (const api of apis) await api('GET', '/api/rooms', { token });
    expect(system.messaging.received.map(callerOf)).toEqual([student(id), student(id)]);
    await revoke(token, id, how);
    for (const api of apis) {
      await eventually('the token is over', async () => {
        await api('GET', '/api/rooms', { token });
        return callerOf(system.messaging.received.at(-1)) === undefined;
      });
    }
  });

  test("of one token does not end the person's others; of all ends all", async () => {
    const one = system.login({ ...student(12), tokenId: 121 });
    const two = system.login({ ...student(12), tokenId: 122 });
    const ask = async (token: string) => {
      await system.api('GET', '/api/rooms', { token });
      return callerOf(system.messaging.received.at(-1))?.kind ?? 'anonymous';
    };
    expect([await ask(one), await ask(two)]).toEqual(['user', 'user']);
    await revoke(one, 12, 'hint', [121]);
    await eventually('the first is over', async () => (await ask(one)) === 'anonymous');
    system.identity.questions.length = 0;
    expect(await ask(two)).toBe('user');
    expect(system.identity.questions).toEqual([]);
    await revoke(two, 12, 'hint', []);
    await eventually('the second is over', async () => (await ask(two)) === 'anonymous');
  });

  test('beats a verification in flight', async () => {
    const token = system.login(student(13));
    const marker = system.login(student(14));
    await system.api('GET', '/api/rooms', { token: marker });
    const held = Promise.withResolvers<void>();
    system.identity.hold(() => held.promise);
    const request = system.api('GET', '/api/rooms', { token });
    await eventually('identity is asked', () => system.identity.questions.includes(token));
    system.identity.hold(async () => undefined);
    await revoke(token, 13, 'hint');
    await revoke(marker, 14, 'hint');
    await eventually('the gateway has heard both', async () => {
      await system.api('GET', '/api/rooms', { token: marker });
      return callerOf(system.messaging.received.at(-1)) === undefined;
    });
    system.messaging.received.length = 0;
    held.resolve();
    await request;
    expect(system.messaging.received.map(callerOf)).toEqual([undefined]);
    expect(system.identity.questions.filter((asked) => asked === token)).toHaveLength(2);
  });
});

describe('identity away', () => {
  test('known verdicts stay good, unknown tokens get 503 where one is needed', async () => {
    const own = await startSystem({ timings: { verdict: 100, silentLink: 60_000 } });
    const known = own.login(student(1));
    const unknown = own.login(student(2));
    const me = async (token: string) => (await own.api('GET', '/api/rooms', { token })).status;
    // Verdicts are used longer than their time only while the link is up.
    await eventually('the verdict is cached', async () => {
      await me(known);
      own.identity.questions.length = 0;
      await me(known);
      return own.identity.questions.length === 0;
    });
    await own.identity.stop();
    const stoppedAt = Date.now();
    await eventually('the verdict is past its time', () => Date.now() - stoppedAt > 100);
    await me(known);
    expect(callerOf(own.messaging.received.at(-1))).toEqual(student(1));
    own.messaging.does((_req, res, { headers }) =>
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

describe('cut off from NATS', () => {
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

  test.each(['pullOut', 'freeze'] as const)('a verdict is used for one second (%s)', async (fault) => {
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
    // Verdicts from before or during the cut are verified again afterwards: a revocation may have been missed.
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
