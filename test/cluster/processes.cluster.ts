import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { guard } from '../../deploy/local/guard.ts';
import { freePort } from '../../deploy/local/servers.ts';
import { PROCESSES } from '@tutoring/shared/contract/names';
import { deploy, type Deployment } from './replicas.ts';
import { isListening } from './listening.ts';
import { checkNothingIsLost, waitForProgress, startTraffic, type Traffic } from './traffic.ts';

/* Two replicas of each process behind balancers, and Redis: each process is replaced and killed under load. */

const LOGINS = 40;

let port: number;
let redis: ChildProcess;
let deployment: Deployment;
let traffic: Traffic;

async function startRedis(): Promise<void> {
  redis = spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' });
  void guard(redis, 'server');
  await eventually('Redis listens', () => isListening(port));
}

async function killRedis(): Promise<void> {
  const exited = once(redis, 'exit');
  redis.kill('SIGKILL');
  await exited;
}

beforeAll(async () => {
  if (spawnSync('redis-server', ['--version']).status !== 0)
    throw new Error('this test needs Redis: apt-get install redis-server');
  port = await freePort();
  await startRedis();
  const env = { REDIS_URL: `redis://127.0.0.1:${port}`, AUTH_RATE_LIMIT: String(LOGINS), TRUSTED_PROXY_HOPS: '1' };
  deployment = await deploy(2, { env });
  traffic = await startTraffic(deployment);
});
afterAll(async () => {
  await deployment.stop();
  await killRedis();
});

test('no request fails while every replica of every process is replaced', async () => {
  const before = traffic.failures();
  const exits = await Promise.all(PROCESSES.map((name) => deployment.roll(name)));
  await waitForProgress(traffic);
  expect(exits).toEqual(PROCESSES.map(() => [0, 0]));
  expect(traffic.failures()).toEqual(before);
});

test.each(PROCESSES)('requests go on after a replica of %s is killed and replaced', async (name) => {
  await deployment.replaceKilled(name);
  await waitForProgress(traffic);
});

/** Number of requests of a client until one is refused with a 429. The balancer alternates between the two gateways. */
async function loginsUntilRefused(address: string): Promise<number> {
  for (let count = 0; ; count += 1) {
    const response = await fetch(`${deployment.url}/api/auth/reset-password-send-code`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        connection: 'close',
        'x-forwarded-for': address,
      },
      body: '{}',
    });
    const { statusCode } = (await response.json()) as { statusCode?: number };
    if (response.status === 429 || statusCode === 429 || count > 4 * LOGINS) return count;
  }
}

test('requests go on while Redis is down, and both gateways share their limits again after it restarts empty', async () => {
  await killRedis();
  await waitForProgress(traffic);
  await startRedis();
  await eventually('both gateways are connected to the new Redis', async () => {
    const { stdout } = spawnSync('redis-cli', ['-p', String(port), 'client', 'list'], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line && !line.includes('cmd=client')).length >= 2;
  });
  await waitForProgress(traffic);
  // Less than the sum of two separate limits. A busy machine can miss it: a gateway counts alone while Redis is slow, and
  // a new window may begin in between. Then the same is tried with a client that has no count yet.
  let client = 0;
  await eventually(
    'both gateways share a limit',
    async () => (await loginsUntilRefused(`192.0.2.${(client += 1)}`)) < 1.5 * LOGINS,
  );
});

test('no confirmed write is lost or duplicated', () => checkNothingIsLost(deployment, traffic));
