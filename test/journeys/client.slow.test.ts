import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, retryWhile503 } from '@tutoring/shared/testing/wait';
import { createTutoringClient, payload, TutoringError, type LiveEvent } from '../../shared/client/src/client.ts';
import { adminToken, as, data, openRoom, register, type Person } from './people.ts';
import { SOON_MS, startSystem, type GatewayName, type System } from './system.ts';

let system: System;
let student: Person;
let teacher: Person;
let room: string;
beforeAll(async () => {
  system = await startSystem();
  await system.start('second gateway');
  student = await register(system, 'student', 'Awa Diallo');
  teacher = await register(system, 'teacher', 'Kossi Mensah');
  room = await openRoom(system, student, teacher);
});
afterAll(() => system.stop());

const clientOf = (token: string, baseUrl = system.url) => createTutoringClient({ baseUrl, token: () => token });

test('events arrive once and in order, including those sent while the connection was broken', async () => {
  const stop = new AbortController();
  const received: string[] = [];
  let opened = 0;
  const listen = async () => {
    const onOpen = () => void (opened += 1);
    for await (const live of clientOf(student.token).events({ signal: stop.signal, onOpen }))
      if (live.event === 'message.created') received.push(live.data.message);
  };
  const listening = listen();
  let sent = 0;
  const write = () =>
    as(system, teacher.token, 'second gateway').post(`api/rooms/${room}/messages`, { message: `m${(sent += 1)}` });
  await eventually('the stream is open', () => opened === 1);
  data(await write());
  await eventually('the event is received', () => received.length === 1);

  await system.kill('gateway');
  for (let times = 0; times < 3; times += 1) data(await write());
  await system.start('gateway');
  await eventually('the missed events are received', () => received.length === 4);
  data(await write());
  await eventually('new events are received', () => received.length === 5);
  expect([opened, received]).toEqual([2, ['m1', 'm2', 'm3', 'm4', 'm5']]);
  stop.abort();
  await listening;
});

test('a stream that is refused permanently throws the refusal', async () => {
  const read = async () => {
    const events: LiveEvent[] = [];
    for await (const event of clientOf('1|nobody').events()) events.push(event);
  };
  await expect(read()).rejects.toMatchObject({ name: 'TutoringError', status: 401 });
});

/** A proxy in front of the gateway that drops the first response of each method and path. */
async function startLossyProxy() {
  const counts = new Map<string, number>();
  const keys = new Set<unknown>();
  const server: Server = createServer((request, response) => {
    void (async () => {
      const { method = '', url = '' } = request;
      const body = await buffer(request);
      const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      for (const hop of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(hop);
      const answer = await fetch(`${system.url}${url}`, { method, headers, ...(body.length > 0 && { body }) });
      const text = await answer.text();
      keys.add(request.headers['idempotency-key']);
      const count = (counts.get(`${method} ${url}`) ?? 0) + 1;
      counts.set(`${method} ${url}`, count);
      if (count === 1) response.destroy();
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, counts, keys };
}

test('a request whose response is lost is repeated only if that is safe, and takes effect once', async () => {
  const lossy = await startLossyProxy();
  try {
    const client = clientOf(student.token, lossy.url);
    const deposit = payload(await client.POST('/api/deposits', { body: { amount: 500 } }));
    expect(payload(await client.GET('/api/deposits')).map(({ id }) => id)).toEqual([deposit.id]);
    expect(lossy.counts.get('POST /api/deposits')).toBe(2);
    expect(lossy.counts.get('GET /api/deposits')).toBe(2);
    expect([...lossy.keys]).toEqual([expect.any(String), undefined]);

    await expect(client.POST('/api/rooms', { body: { teacher_id: teacher.id } })).rejects.toThrow('fetch failed');
    expect(lossy.counts.get('POST /api/rooms')).toBe(1);
  } finally {
    lossy.server.close();
    lossy.server.closeAllConnections();
  }
});

test('a refused request is not repeated', async () => {
  const refused = clientOf(student.token).POST('/api/deposits', { body: { amount: 1 } });
  await expect(refused.then(payload)).rejects.toMatchObject({ name: TutoringError.name, status: 422 });
});

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a file is uploaded into a room and sent by its link', async () => {
  const client = clientOf(student.token);
  const image = new Blob([PIXEL], { type: 'image/png' });
  const file = await client.upload('/api/rooms/{uuid}/files', image, { uuid: room, name: 'exercise.png' });
  expect(file).toMatchObject({ name: 'exercise.png', type: 'image', width: 1, height: 1 });
  const body = { type: file.type, message_link: file.url };
  const sent = await client.POST('/api/rooms/{uuid}/messages', { params: { path: { uuid: room } }, body });
  expect(payload(sent)).toMatchObject({ type: 'image', message_link: file.url });
  const elsewhere = client.upload('/api/rooms/{uuid}/files', image, { uuid: student.token, name: 'exercise.png' });
  await expect(elsewhere).rejects.toMatchObject({ name: TutoringError.name, status: 404 });
});

async function isAccepted(through: GatewayName, token: string): Promise<boolean> {
  const { status, body } = await retryWhile503(() => as(system, token, through).get('api/me'));
  expect([200, 401, 403]).toContain(status);
  return status === 200 && body.success === true;
}
const isRefused = (through: GatewayName, token: string) => async () => !(await isAccepted(through, token));

/** Opens the event stream of `token` on a gateway. The returned function says whether the stream has ended. */
async function openStream(through: GatewayName, token: string): Promise<() => boolean> {
  let ended = false;
  const response = await system.openStream(token, through);
  expect(response.status).toBe(200);
  void response.text().finally(() => (ended = true));
  return () => ended;
}

test('a message sent through one gateway arrives once through the other', async () => {
  const listeners = await Promise.all([
    system.listen(teacher.token, 'second gateway'),
    system.listen(student.token, 'gateway'),
  ]);
  const sent: number[] = [];
  for (const [index, through] of (['gateway', 'second gateway', 'gateway', 'second gateway'] as const).entries()) {
    const path = `api/rooms/${room}/messages`;
    const answer = await as(system, student.token, through).post(path, { message: `message ${index}` });
    sent.push(data<{ id: number }>(answer).id);
  }
  for (const listener of listeners) {
    // Earlier messages may still arrive.
    const created = () => listener.events.filter(({ event }) => event === 'message.created');
    const received = () => created().flatMap(({ data: { id } }) => (Number(id) < sent[0]! ? [] : [id]));
    await eventually('the last message', () => received().length >= sent.length);
    expect(received()).toEqual(sent);
    listener.close();
  }
});

test('after a logout through one gateway the other refuses the token and closes its stream within 20 seconds', async () => {
  expect(await isAccepted('gateway', student.token)).toBe(true);
  expect(await isAccepted('second gateway', student.token)).toBe(true);
  const hasEnded = await openStream('second gateway', student.token);
  data(await as(system, student.token).post('api/auth/logout'));
  await eventually('the token is refused', isRefused('second gateway', student.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});

test('after a ban through one gateway the other refuses the account and closes its stream within 20 seconds', async () => {
  expect(await isAccepted('gateway', teacher.token)).toBe(true);
  const hasEnded = await openStream('gateway', teacher.token);
  const admin = as(system, await adminToken(system), 'second gateway');
  data(await admin.put(`api/admin/users/${teacher.id}`, { status: 'banned' }));
  await eventually('the token is refused', isRefused('gateway', teacher.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});
