import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRateLimits } from '../../gateway/src/admission/admission.ts';
import { timings } from '../../gateway/src/deadlines.ts';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { freePort, natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { USERS } from '../../deploy/nats/users.ts';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { connectBus } from '@tutoring/shared/contract/bus';
import { createS3Store } from '@tutoring/shared/kit/files/store';
import { createLogger, createOutage, findRefusal, type Logger } from '@tutoring/shared/kit/process/logger';
import { cloneDatabase, type TestDatabase } from '@tutoring/shared/testing/infra';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { startDatabaseProxy } from '@tutoring/shared/testing/database-proxy';

/* The log of a process while a server that it needs is unreachable or refuses it. */

interface Line {
  level: string;
  msg: string;
  reason?: string;
  seconds?: number;
}

/** A logger with its lines at `info` and above. */
function listen(): { logger: Logger; lines: Line[]; messages: () => string[] } {
  const lines: Line[] = [];
  const logger = createLogger('probe', 'info', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  return { logger, lines, messages: () => lines.map(({ msg }) => msg) };
}

let folder: string;
let clone: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outage-'));
  clone = await cloneDatabase('calls');
});
afterAll(async () => {
  await clone.drop();
  await rm(folder, { recursive: true, force: true });
});

test('a failure is logged immediately, then every ten seconds; another kind of failure is logged immediately, too', () => {
  const { logger, lines } = listen();
  let now = 0;
  const outage = createOutage(logger, { server: 'X', meanwhile: 'it waits', now: () => now });
  const at = (ms: number, error: unknown) => {
    now = ms;
    outage.failed(error);
  };
  outage.recovered();
  const away = new Error('no connection', { cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'E' }) });
  for (const ms of [1_000, 1_250, 10_900, 11_000, 12_000, 21_000]) at(ms, away);
  at(21_250, Object.assign(new Error('password authentication failed'), { code: '28P01' }));
  now = 22_000;
  outage.recovered();
  outage.recovered();
  at(23_000, away);
  expect(lines.map(({ level, msg, reason, seconds }) => [level, seconds, msg, reason])).toEqual([
    ['warn', 0, 'X is unreachable: it waits', 'connect ECONNREFUSED'],
    ['warn', 10, 'X is unreachable: it waits', 'connect ECONNREFUSED'],
    ['warn', 20, 'X is unreachable: it waits', 'connect ECONNREFUSED'],
    ['warn', 20, 'X refuses this process: it waits', 'password authentication failed'],
    ['info', 21, 'X answers again', undefined],
    ['warn', 0, 'X is unreachable: it waits', 'connect ECONNREFUSED'],
  ]);
});

test('the log distinguishes a wrong NATS password from an unreachable server, before and after the first connection', async () => {
  const passwords = natsPasswords(USERS);
  const dataDir = join(folder, 'nats');
  const port = await freePort();
  const start = (known = passwords) => startNats({ dataDir, port, passwords: known, log: () => undefined });
  const { logger, messages } = listen();
  const url = natsUrlOf('wallet', { port, passwords });
  const connecting = connectBus({ url, prefix: 'tutoring', name: 'wallet', limits: testLimits, logger });
  await eventually('the server is unreachable', () => messages().includes('NATS is unreachable'));

  let nats = await start(natsPasswords(USERS));
  await eventually('the server refuses', () => messages().includes('NATS refuses this process'));
  await nats.stop();
  nats = await start();
  const bus = await connecting;
  expect(messages().filter((line) => line === 'NATS answers again')).toHaveLength(1);

  const before = messages().length;
  await nats.stop();
  await eventually('the server is unreachable again', () => messages().slice(before).includes('NATS is unreachable'));
  nats = await start(natsPasswords(USERS));
  await eventually('the server refuses again', () => messages().slice(before).includes('NATS refuses this process'));
  await nats.stop();
  nats = await start();
  await eventually('the server answers again', () => messages().slice(before).includes('NATS answers again'));
  await bus.close();
  await nats.stop();
});

test('a process waits for an unreachable PostgreSQL and logs it', async () => {
  const { logger, lines, messages } = listen();
  const port = await freePort();
  const url = new URL(clone.url);
  url.port = String(port);
  const opening = openDatabase({ url: url.href, name: 'test', pool: 1, logger });
  await eventually('the server is unreachable', () => messages().includes('PostgreSQL is unreachable'));
  expect(lines[0]?.reason).toContain('ECONNREFUSED');
  const proxy = await startDatabaseProxy(clone.url, port);
  const database = await opening;
  expect(messages().at(-1)).toBe('PostgreSQL answers again');
  await database.close();
  await proxy.stop();
});

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const withRedis = hasRedis || process.env['CI'] === 'true' ? test : test.skip;

withRedis('the log distinguishes a wrong Redis password from an unreachable server', async () => {
  const port = await freePort();
  const start = (password: string) => {
    const args = ['--port', String(port), '--save', '', '--appendonly', 'no', '--requirepass', password];
    return spawn('redis-server', args, { stdio: 'ignore' });
  };
  const { logger, messages } = listen();
  const redisUrl = `redis://:right@127.0.0.1:${port}`;
  const config = { AUTH_RATE_LIMIT: 1, API_RATE_LIMIT: 1, REDIS_URL: redisUrl, NATS_PREFIX: 'x' };
  const limits = await createRateLimits({ config, timings, logger });
  const is = (what: string) => eventually(what, () => messages().at(-1) === what);
  await is('Redis is unreachable: requests are counted in memory');
  for (const [password, what] of [
    ['wrong', 'Redis refuses this process: requests are counted in memory'],
    ['right', 'Redis answers again'],
  ] as const) {
    const redis = start(password);
    await is(what);
    redis.kill('SIGKILL');
    await once(redis, 'exit');
    await is('Redis is unreachable: requests are counted in memory');
  }
  limits.stop();
});

test('a refusal by the file store is distinguished from a missing answer', async () => {
  const at = { kind: 's3', bucket: 'b', prefix: '', region: 'us-east-1', pathStyle: true } as const;
  const key = { accessKeyId: 'a', secretAccessKey: 'b' };
  const refused = Object.assign(new Error('Access Denied'), { $metadata: { httpStatusCode: 403 } });
  expect(findRefusal(refused)?.message).toBe('Access Denied');
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const failure = await createS3Store({ ...at, endpoint }, key)
    .open('x')
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(findRefusal(failure)).toBeUndefined();
});
