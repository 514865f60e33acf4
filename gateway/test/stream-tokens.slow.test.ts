import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually, NATS_TIMEOUT } from '@tutoring/shared/testing/wait';
import type { Timings } from '../src/deadlines.ts';
import { startCable } from './cable.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { startSystem, student, type System } from './system.ts';

/* When identity is asked about the tokens of open streams, and when a stream is closed. */

const QUICK = { streamCheck: 50, revocationsPoll: 100 } satisfies Partial<Timings>;
/** Timings with which a busy machine does not count as disconnected from NATS. */
const LINKED = {
  ...QUICK,
  streamVerdict: 600_000,
  streamVerdictUnconfirmed: 100,
  natsSilence: 60_000,
} satisfies Partial<Timings>;

const open: Listening[] = [];
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});

/** Opens a stream as an app does: tries again until it succeeds. */
async function listening({ gateway }: Pick<System, 'gateway'>, token: string) {
  const listener = await eventually('a stream is open', async () => {
    const tried = await listen(gateway.url, token);
    open.push(tried);
    return tried.status === 200 && tried;
  });
  await eventually('the stream has begun', () => listener.comments > 0);
  return listener;
}

/** Streams of the students 1 to `count`. */
async function listeners(system: System, count: number, gateway = system.gateway) {
  const tokens = Array.from({ length: count }, (_, n) => system.login(student(n + 1)));
  const streams = await Promise.all(tokens.map((token) => listening({ gateway }, token)));
  return { tokens, streams };
}

const requestCounts = ({ identity: { questions, batches } }: System) => [questions.length, batches.length];
const sorted = (tokens: Iterable<string>) => [...new Set(tokens)].sort();

describe('while revocations arrive', () => {
  let system: System;
  let relay: Relay;
  beforeAll(async () => {
    system = await startSystem({ timings: LINKED });
    relay = await connectRelay(infra().natsUrl, system.prefix);
  });
  afterAll(async () => {
    await relay.close();
    await system.stop();
  });

  test('a stream is closed at once when its token is revoked, and identity is not asked', async () => {
    const { streams } = await listeners(system, 3);
    const before = requestCounts(system);
    relay.bus.connection.publish(
      relay.bus.subject('hints.tokens.revoked'),
      JSON.stringify({ subject: 'user:1', token_ids: [1] }),
    );
    await eventually('the stream is closed', () => streams[0]!.isClosed);
    expect(streams.slice(1).some(({ isClosed }) => isClosed)).toBe(false);
    expect(requestCounts(system)).toEqual(before);
  });

  test('a stream is closed when its token expires, and identity is not asked', async () => {
    const token = system.login(student(9));
    system.identity.expiries.set(token, new Date(Date.now() + 5_000).toISOString().replace('Z', '000Z'));
    const listener = await listening(system, token);
    const before = requestCounts(system);
    await eventually('the stream is closed', () => listener.isClosed);
    expect(requestCounts(system)).toEqual(before);
  });

  test('a lost revocation is noticed by polling its stream, and all tokens are verified together', async () => {
    const { tokens, streams } = await listeners(system, 3);
    const name = relay.bus.named('revocations');
    const { subjects } = (await relay.bus.jsm.streams.info(name)).config;
    const hidden = relay.bus.subject('hidden');
    await relay.bus.jsm.streams.update(name, { subjects: [...subjects, hidden] });
    const before = system.identity.questions.length;
    system.identity.batches.length = 0;
    system.identity.callers.delete(tokens[0]!);
    await relay.bus.js.publish(hidden, '{}', NATS_TIMEOUT);
    await eventually('the stream of the revoked token is closed', () => streams[0]!.isClosed);
    expect(streams.slice(1).some(({ isClosed }) => isClosed)).toBe(false);
    expect(system.identity.questions).toHaveLength(before);
    await eventually('all tokens are verified', () => sorted(system.identity.batches.flat()).length === tokens.length);
  });
});

test('old verdicts of open streams are renewed together', async () => {
  const system = await startSystem({ timings: { streamVerdict: 3_000 } });
  const { tokens, streams } = await listeners(system, 20);
  const before = system.identity.questions.length;
  await eventually('all tokens are verified', () => new Set(system.identity.batches.flat()).size === tokens.length);
  expect(system.identity.questions).toHaveLength(before);
  expect(system.identity.batches.length).toBeLessThan(tokens.length / 2);
  expect(streams.some(({ isClosed }) => isClosed)).toBe(false);
  await system.stop();
});

describe('without NATS', () => {
  let cable: Awaited<ReturnType<typeof startCable>>;
  let system: System;
  beforeEach(async () => {
    cable = await startCable(infra().natsUrl);
    system = await startSystem({
      env: { NATS_URL: cable.url },
      timings: { ...QUICK, streamVerdict: 600_000, streamVerdictUnconfirmed: 300 },
    });
  });
  afterEach(async () => {
    cable.repair();
    await system.stop();
    await cable.stop();
  });

  test.each(['disconnect', 'freeze'] as const)(
    '(%s) all tokens are verified together, and the stream of a revoked token is closed',
    async (fault) => {
      const { tokens, streams } = await listeners(system, 10);
      const before = system.identity.questions.length;
      cable[fault]();
      system.identity.callers.delete(tokens[0]!);
      await eventually('the stream of the revoked token is closed', () => streams[0]!.isClosed);
      const { batches } = system.identity;
      await eventually('all tokens are verified', () => new Set(batches.flat()).size === tokens.length);
      expect(system.identity.questions).toHaveLength(before);
      cable.repair();
      expect(streams.slice(1).some(({ isClosed }) => isClosed)).toBe(false);
    },
  );

  test('and without identity, each stream with an unverifiable token is closed', async () => {
    const { streams } = await listeners(system, 3, await system.addGateway({ timings: { streamUnconfirmed: 1_000 } }));
    await system.identity.stop();
    cable.disconnect();
    await eventually('all streams are closed', () => streams.every(({ isClosed }) => isClosed));
  });
});

test('streams stay open without identity as long as revocations arrive', async () => {
  const system = await startSystem({ timings: { ...LINKED, streamUnconfirmed: 500 } });
  const { streams } = await listeners(system, 3);
  await system.identity.stop();
  const stoppedAt = Date.now();
  await eventually('streamUnconfirmed has passed', () => Date.now() - stoppedAt > 2_000);
  expect(streams.some(({ isClosed }) => isClosed)).toBe(false);
  await system.stop();
});
