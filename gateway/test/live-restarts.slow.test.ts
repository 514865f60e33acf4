import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@tutoring/shared/testing/wait';
import { startNats, type Server } from '../../deploy/local/servers.ts';
import { listen, type Listening } from './listener.ts';
import { connectRelay, type Relay } from './relay.ts';
import { startSystem, student, type System } from './system.ts';

let folder: string;
let nats: Server;
let system: System;
let relay: Relay;
const open: Listening[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'live-restarts-'));
  nats = await start();
  system = await startSystem({ env: { NATS_URL: nats.url }, timings: { streamHeartbeat: 200 } });
  relay = await connectRelay(nats.url, system.prefix);
});
afterEach(() => {
  for (const listener of open.splice(0)) listener.hangUp();
});
afterAll(async () => {
  await relay.close();
  await system.stop();
  await nats.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (port?: number) => startNats({ dataDir: folder, port, log: () => undefined });

async function stopNats(): Promise<void> {
  await nats.stop();
  await eventually('NATS is disconnected', () => !relay.bus.isConnected());
}

async function startNatsAgain(): Promise<void> {
  nats = await start(nats.port);
  await eventually('NATS is connected again', () => relay.bus.isConnected());
  await relay.bus.ensureStreams();
}

/** Restarts NATS repeatedly; after each restart the listener receives an event. */
async function restartNats(times: number, user: number, listener: Listening): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    await stopNats();
    await startNatsAgain();
    await relay.publish(user, { n: time });
    await listener.until(time);
  }
}

/** Opens a stream as an app does, with retries until it succeeds. */
const listening = (token: string, url: string, lastEventId?: string) =>
  eventually('a stream is open', async () => {
    const listener = await listen(url, token, { ...(lastEventId && { lastEventId }) });
    open.push(listener);
    return listener.status === 200 && listener;
  });

const received = ({ events }: Listening) => events.map(({ event, data }) => [event, (data as { n?: number }).n]);
const messages = (...numbers: number[]) => numbers.map((n) => ['message.created', n]);

test('an open stream continues without a resync when NATS restarts repeatedly', async () => {
  const listener = await listening(system.login(student(1)), system.gateway.url);
  await restartNats(3, 1, listener);
  expect(received(listener)).toEqual(messages(1, 2, 3));
});

test('a client that resumes after restarts of NATS and the gateway gets the events it missed', async () => {
  const first = await system.addGateway();
  const token = system.login(student(2));
  const before = await listening(token, first.url);
  await relay.publish(2, { n: 1 });
  await before.until(1);
  await first.stop();
  await restartNats(2, 3, await listening(system.login(student(3)), system.gateway.url));
  await relay.publish(2, { n: 2 });
  const second = await system.addGateway();
  const after = await listening(token, second.url, before.lastEventId);
  await relay.publish(2, { n: 3 });
  await after.until(2);
  expect(received(after)).toEqual(messages(2, 3));
});

test('every client gets one resync when NATS loses its newest messages and reuses their sequences', async () => {
  const token = system.login(student(4));
  const away = await listening(token, system.gateway.url);
  const listener = await listening(token, system.gateway.url);
  await relay.publish(4, { n: 0 });
  await Promise.all([away.until(1), listener.until(1)]);
  await stopNats();
  await cp(join(folder, 'store'), join(folder, 'older'), { recursive: true });
  await startNatsAgain();
  await relay.publish(4, { n: 1 });
  await Promise.all([away.until(2), listener.until(2)]);
  away.hangUp();
  await stopNats();
  await rm(join(folder, 'store'), { recursive: true });
  await cp(join(folder, 'older'), join(folder, 'store'), { recursive: true });
  await startNatsAgain();
  const back = await listening(token, system.gateway.url, away.lastEventId);
  await Promise.all([back.until(1), listener.until(3)]);
  await relay.publish(4, { n: 2 });
  await Promise.all([back.until(2), listener.until(4)]);
  expect(received(back)).toEqual([['resync', undefined], ...messages(2)]);
  expect(received(listener)).toEqual([...messages(0, 1), ['resync', undefined], ...messages(2)]);
});

test('a listener gets one resync when NATS loses messages and stores more before the gateway reconnects', async () => {
  const listener = await listening(system.login(student(8)), system.gateway.url);
  await relay.publish(8, { n: 0 });
  await listener.until(1);
  await stopNats();
  await cp(join(folder, 'store'), join(folder, 'shorter'), { recursive: true });
  await startNatsAgain();
  await relay.publish(8, { n: 1 });
  await listener.until(2);
  await stopNats();
  await rm(join(folder, 'store'), { recursive: true });
  await cp(join(folder, 'shorter'), join(folder, 'store'), { recursive: true });
  const { port } = nats;
  // On another port, so that the gateway does not reconnect yet.
  nats = await start();
  const { bus, publish: tell } = await connectRelay(nats.url, system.prefix);
  await tell(8, { n: 2 });
  await tell(8, { n: 3 });
  await bus.close();
  await nats.stop();
  nats = await start(port);
  await eventually('NATS is connected again', () => relay.bus.isConnected());
  await listener.until(3);
  await relay.publish(8, { n: 4 });
  await listener.until(4);
  expect(received(listener)).toEqual([...messages(0, 1), ['resync', undefined], ...messages(4)]);
});

test('a lost event that is published again is not sent twice, and a client that was away gets resync', async () => {
  const token = system.login(student(9));
  const [away, listener] = [await listening(token, system.gateway.url), await listening(token, system.gateway.url)];
  await relay.publish(9, { n: 0 });
  await Promise.all([away.until(1), listener.until(1)]);
  away.hangUp();
  await stopNats();
  await cp(join(folder, 'store'), join(folder, 'lossy'), { recursive: true });
  await startNatsAgain();
  const { id } = await relay.publish(9, { n: 1 });
  await listener.until(2);
  await stopNats();
  await rm(join(folder, 'store'), { recursive: true });
  await cp(join(folder, 'lossy'), join(folder, 'store'), { recursive: true });
  await startNatsAgain();
  await listener.until(3);
  await relay.publish(9, { n: 1 }, 'message.created', id);
  await relay.publish(9, { n: 2 });
  await listener.until(4);
  expect(received(listener)).toEqual([...messages(0, 1), ['resync', undefined], ...messages(2)]);
  const back = await listening(token, system.gateway.url, away.lastEventId);
  await back.until(1);
  expect(received(back)).toEqual([['resync', undefined]]);
  // A gateway that has not seen the loss: the position now belongs to another event.
  const other = await system.addGateway();
  const stale = await listening(token, other.url, back.lastEventId!.replace(/-[0-9a-f]+$/, '-00000000'));
  await stale.until(1);
  expect(received(stale)).toEqual([['resync', undefined]]);
});

test.each([
  ['after its old sequence', 1],
  ['at its old sequence', 2],
])('a client that resumes from a lost event, republished %s behind a new one, gets resync', async (_where, lost) => {
  const user = 20 + lost;
  const token = system.login(student(user));
  const away = await listening(token, system.gateway.url);
  await relay.publish(user, { n: 0 });
  await away.until(1);
  await stopNats();
  const before = join(folder, `before-${lost}`);
  await cp(join(folder, 'store'), before, { recursive: true });
  await startNatsAgain();
  let id: string | undefined;
  for (let n = 1; n <= lost; n += 1) ({ id } = await relay.publish(user, { n }));
  await away.until(1 + lost);
  away.hangUp();
  // `resync` contains the position as its id.
  const elsewhere = await listening(token, system.gateway.url, 'of-another-system');
  await elsewhere.until(1);
  elsewhere.hangUp();
  const watching = await listening(token, system.gateway.url);
  await stopNats();
  await rm(join(folder, 'store'), { recursive: true });
  await cp(before, join(folder, 'store'), { recursive: true });
  await startNatsAgain();
  // The gateway has noticed the loss: whether a resuming client gets resync now depends only on its position.
  await watching.until(1);
  // Only now does the service notice the loss.
  await relay.publish(user, { n: lost + 1 });
  await relay.publish(user, { n: lost }, 'message.created', id, { again: true });
  for (const { url } of [system.gateway, await system.addGateway()])
    for (const { lastEventId } of [away, elsewhere]) {
      const back = await listening(token, url, lastEventId);
      await back.until(1);
      expect(received(back)).toEqual([['resync', undefined]]);
    }
});

test('a client that knows a recreated stream before its gateway does gets the events it missed', async () => {
  const token = system.login(student(5));
  const live = relay.bus.named('live');
  await relay.bus.jsm.streams.delete(live);
  await relay.bus.ensureStreams();
  const { created } = await relay.bus.jsm.streams.info(live);
  await relay.publish(5, { n: 1 });
  const listener = await listening(token, system.gateway.url, `${Date.parse(created).toString(36)}-0`);
  await relay.publish(5, { n: 2 });
  await listener.until(2);
  expect(received(listener)).toEqual(messages(1, 2));
});

test('the position of a connected client stays recent without events', async () => {
  const token = system.login(student(6));
  const idle = await listening(token, system.gateway.url);
  await relay.publish(7, { n: 1 });
  const { state } = await relay.bus.jsm.streams.info(relay.bus.named('live'));
  await eventually('its position is the newest', () => idle.lastEventId?.includes(`-${state.last_seq}-`));
  idle.hangUp();
  await relay.expireAll();
  await relay.publish(6, { n: 2 });
  const again = await listening(token, system.gateway.url, idle.lastEventId);
  await again.until(1);
  expect(received(again)).toEqual(messages(2));
});
