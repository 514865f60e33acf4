import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectBus, type Bus } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { eventually } from '@tutoring/shared/testing/wait';
import { startNats, type Server } from '../../deploy/local/servers.ts';
import { listen, type Listening } from './listener.ts';
import { startSystem, student, type System } from './system.ts';

let folder: string;
let nats: Server;
let system: System;
let bus: Bus;
const open: Listening[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-restarts-'));
  nats = await start();
  system = await startSystem({ env: { NATS_URL: nats.url } });
  bus = await connectBus({ url: nats.url, prefix: system.prefix, name: 'test', logger: createLogger('test', 'silent') });
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await bus.close();
  await system.stop();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (port?: number) => startNats({ dataDir: folder, port, durable: false, log: () => undefined });

/** The same broker again, as often as said; each time what uses it goes on before the next one. */
async function restartNats(times: number, meanwhile: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await nats.stop();
    await eventually('NATS is gone', () => !bus.isConnected());
    nats = await start(nats.port);
    await eventually('NATS is back', () => bus.isConnected());
    await bus.ensureStreams();
    await meanwhile();
  }
}

async function tell(user: number, n: number) {
  const id = randomUUID();
  const message = { id, name: 'message.created', data: { n }, context: {}, created_at: new Date().toISOString() };
  await bus.js.publish(bus.subject(`live.user.${user}`), JSON.stringify(message), { msgID: id });
}

/** Opens a stream as an app does: again until it is taken. */
const listening = (token: string, url: string, lastEventId?: string) =>
  eventually('a stream is open', async () => {
    const listener = await listen(url, token, { ...(lastEventId && { lastEventId }) });
    open.push(listener);
    return listener.status === 200 && listener;
  });

const heard = ({ events }: Listening) => events.map(({ event, data }) => [event, (data as { n?: number }).n]);
const messages = (...numbers: number[]) => numbers.map((n) => ['message.created', n]);

test('NATS restarts again and again: an open stream goes on without a resync', async () => {
  const listener = await listening(system.login(student(1)), system.gateway.url);
  let n = 0;
  await restartNats(3, async () => {
    await tell(1, (n += 1));
    await listener.until(n);
  });
  expect(heard(listener)).toEqual(messages(1, 2, 3));
});

test('NATS and then the gateway restart: a client that resumes at the new one gets what it missed', async () => {
  const first = await system.addGateway();
  const token = system.login(student(2));
  const before = await listening(token, first.url);
  await tell(2, 1);
  await before.until(1);
  await first.stop();
  await restartNats(2, () => tell(3, 0));
  await tell(2, 2);
  const second = await system.addGateway();
  const after = await listening(token, second.url, before.lastEventId);
  await tell(2, 3);
  await after.until(2);
  expect(heard(after)).toEqual(messages(2, 3));
});
