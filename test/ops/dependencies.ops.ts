import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { SERVICES } from '@tutoring/shared/contract/names';
import { startMailServer } from '@tutoring/shared/testing/mail-server';
import { upload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import { startLine, type Line } from '../chaos/stack/line.ts';
import { PROCESSES } from '@tutoring/shared/contract/names';
import { startStack, type Stack } from '../chaos/stack/stack.ts';
import { auditLedger } from '../cluster/audit.ts';
import { systemOf } from '../cluster/lesson.ts';
import { checkNothingIsLost, waitForProgress, startTraffic, type Traffic } from '../cluster/traffic.ts';
import { as, data, openRoom, register, type Person } from '../journeys/people.ts';
import type { System } from '../journeys/system.ts';

/*
 * Each server that the system needs is taken down under load and comes back. The effects are those in
 * docs/operations.md ("What is lost under load"), and no process restarts.
 */

/** Limit of the time until requests succeed again after the server is back. */
const SOON_MS = 20_000;

let folder: string;
let s3: S3rver;
let mail: Awaited<ReturnType<typeof startMailServer>>;
/** Proxies in front of servers that this test cannot kill. */
const lines: Record<'files' | 'mail', Line> = {} as never;
let stack: Stack;
let system: System;
let traffic: Traffic;
let student: Person;
let room: string;
/** Log lines since the start of the current outage, such as `identity: PostgreSQL is unreachable`. */
const logged = new Set<string>();
const deaths: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dependencies-'));
  const configureBuckets = [{ name: 'files' }];
  s3 = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: folder, configureBuckets });
  const { port } = await s3.run();
  mail = await startMailServer();
  lines.files = await startLine(() => port);
  lines.mail = await startLine(() => mail.port);
  const endpoint = encodeURIComponent(`http://127.0.0.1:${lines.files.port}`);
  stack = await startStack({
    env: {
      FILES_URL: `s3://files?region=us-east-1&endpoint=${endpoint}&path_style=1`,
      FILES_ACCESS_KEY_ID: 'S3RVER',
      FILES_SECRET_ACCESS_KEY: 'S3RVER',
      SMTP_URL: `smtp://127.0.0.1:${lines.mail.port}`,
    },
    onLine: (replica, { msg }) => void logged.add(`${replica.replace(/-\d+$/, '')}: ${msg}`),
    onDeath: (replica) => void deaths.push(replica),
  });
  const codeFor = (to: string) => eventually(`a code for ${to}`, () => mail.codeFor(to));
  system = systemOf({ url: stack.url, codeFor });
  traffic = await startTraffic({ url: stack.url, codeFor });
  student = await register(system, 'student', 'Yao Mensah');
  room = await openRoom(system, student, await register(system, 'teacher', 'Adjoa Agbeko'));
});
afterAll(async () => {
  await stack.stop();
  for (const line of Object.values(lines)) await line.stop();
  await mail.stop();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const replicasOf = (names: readonly string[]) => stack.product.replicas.filter(({ name }) => names.includes(name));
const waitForLog = (names: readonly string[], message: string) =>
  eventually(`${names.join()} log: ${message}`, () => names.every((name) => logged.has(`${name}: ${message}`)));
const status = async (path: string) => (await as(system, student.token).get(path)).status;

/** Takes a server down, runs `meanwhile`, brings the server back, and prints the time until `isBack` returns true. */
async function outage(
  server: string,
  {
    away,
    meanwhile,
    isBack,
  }: { away: () => Promise<() => unknown>; meanwhile: () => Promise<void>; isBack: () => Promise<boolean> },
) {
  await waitForProgress(traffic);
  logged.clear();
  const [sent, failed] = [traffic.sent(), traffic.repeats()];
  const back = await away();
  await meanwhile();
  await back();
  const since = performance.now();
  await eventually(`${server} serves again`, isBack);
  const backMs = Math.round(performance.now() - since);
  await waitForProgress(traffic);
  const figures = { server, requests: traffic.sent() - sent, failed: traffic.repeats() - failed, backMs };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await stack.product.allUp();
  expect(backMs).toBeLessThan(SOON_MS);
  return figures;
}

test('without PostgreSQL services answer 503 and are not ready, until PostgreSQL is back', async () => {
  await outage('PostgreSQL', {
    away: async () => {
      await stack.postgres.kill();
      return stack.postgres.start;
    },
    meanwhile: async () => {
      await waitForLog(SERVICES, 'PostgreSQL is unreachable');
      await eventually('no service is ready', () => !replicasOf(SERVICES).some((replica) => replica.isUp()));
      for (const path of ['api/wallet', 'api/rooms', 'api/calls']) expect(await status(path)).toBe(503);
      expect(replicasOf(['gateway']).every((replica) => replica.isUp())).toBe(true);
    },
    isBack: async () => (await status('api/wallet')) === 200,
  });
  await waitForLog(SERVICES, 'PostgreSQL answers again');
  // 502: the test's balancer accepts a connection before it knows that no replica is ready. In Kubernetes it is a 503.
  expect(Object.keys(traffic.failures()).filter((reason) => !/: 50[23] /.test(reason))).toEqual([]);
});

test('without NATS no request fails; events wait in the outbox and are sent later', async () => {
  const unsent = async () =>
    (await stack.sql<{ id: number }>('messaging', 'select id::int from outbox where sent_at is null')).map(
      ({ id }) => id,
    );
  let waiting: number[] = [];
  const { failed } = await outage('NATS', {
    away: async () => {
      await stack.nats.kill();
      return stack.nats.start;
    },
    meanwhile: async () => {
      await waitForLog(PROCESSES, 'NATS is unreachable');
      await waitForProgress(traffic);
      expect(stack.product.replicas.filter((replica) => !replica.isUp())).toEqual([]);
      waiting = await unsent();
      const shown = await (await fetch(replicasOf(['messaging'])[0]!.metricsUrl)).text();
      expect(Number(/^outbox_unsent\S* (\d+)$/m.exec(shown)?.[1])).toBeGreaterThanOrEqual(waiting.length);
      expect(waiting.length).toBeGreaterThan(0);
    },
    isBack: async () => {
      const still = new Set(await unsent());
      return !waiting.some((id) => still.has(id));
    },
  });
  expect(failed).toBe(0);
  await waitForLog(PROCESSES, 'NATS answers again');
});

test('without Redis no request fails', async () => {
  const redis = stack.redis;
  if (!redis) throw new Error('this test needs Redis: apt-get install redis-server');
  const { failed } = await outage('Redis', {
    away: async () => {
      await redis.kill();
      return redis.start;
    },
    meanwhile: async () => {
      await waitForLog(['gateway'], 'Redis is unreachable: requests are counted in memory');
      await waitForProgress(traffic);
    },
    isBack: async () => logged.has('gateway: Redis answers again'),
  });
  expect(failed).toBe(0);
});

test('without the file store uploads and downloads get a 503, and other requests succeed', async () => {
  const bytes = Buffer.from('what was there before');
  const send = () =>
    upload(`${stack.url}/api/rooms/${room}/files`, bytes, {
      name: 'notes.bin',
      headers: { authorization: `Bearer ${student.token}` },
    });
  const { url } = data<{ url: string }>(await send());
  const load = () => fetch(url, { headers: { authorization: `Bearer ${student.token}` } });
  const { failed } = await outage('the store of files', {
    away: async () => lines.files.refuse(),
    meanwhile: async () => {
      expect([(await send()).status, (await load()).status]).toEqual([503, 503]);
      await waitForLog(['messaging'], 'the file store is unreachable');
      await waitForProgress(traffic);
    },
    isBack: async () => {
      const answer = await load();
      return answer.status === 200 && bytes.equals(Buffer.from(await answer.arrayBuffer()));
    },
  });
  expect(failed).toBe(0);
  data(await send());
  await waitForLog(['messaging'], 'the file store answers again');
});

test('without the mail server mails wait and are sent later', async () => {
  const form = {
    name: 'Afi Lawson',
    email: 'afi.lawson@example.com',
    phone_number: '+22890778899',
    platform: 'student',
  };
  const { failed } = await outage('the mail server', {
    away: async () => lines.mail.refuse(),
    meanwhile: async () => {
      const password = 'a long enough secret';
      data(
        await system.request('POST', 'api/auth/register', {
          body: { ...form, password, gauth_type: 'email', domains: [1] },
        }),
      );
      await waitForLog(['identity'], 'a message was not delivered');
      await waitForProgress(traffic);
    },
    isBack: async () => mail.codeFor(form.email) !== undefined,
  });
  expect(failed).toBe(0);
  const code = mail.codeFor(form.email);
  data(await system.request('POST', 'api/auth/register/verify', { body: { ...form, code } }));
});

test('no confirmed write is lost or duplicated, the ledger adds up, and no process has exited', async () => {
  await checkNothingIsLost(stack, traffic);
  expect(await auditLedger({ url: stack.databaseUrl('wallet') })).toMatch(/adds up/);
  expect(deaths).toEqual([]);
});
