import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
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

test('events arrive once and in order, also those sent while the connection was broken', async () => {
  const stop = new AbortController();
  const heard: string[] = [];
  let opened = 0;
  const listen = async () => {
    const onOpen = () => void (opened += 1);
    for await (const told of clientOf(student.token).events({ signal: stop.signal, onOpen }))
      if (told.event === 'message.created') heard.push(told.data.message);
  };
  const listening = listen();
  let sent = 0;
  const write = () =>
    as(system, teacher.token, 'second gateway').post(`api/rooms/${room}/messages`, { message: `m${(sent += 1)}` });
  await eventually('it listens', () => opened === 1);
  data(await write());
  await eventually('it hears', () => heard.length === 1);

  await system.kill('gateway');
  for (let times = 0; times < 3; times += 1) data(await write());
  await system.start('gateway');
  await eventually('it hears what it missed', () => heard.length === 4);
  data(await write());
  await eventually('and goes on', () => heard.length === 5);
  expect([opened, heard]).toEqual([2, ['m1', 'm2', 'm3', 'm4', 'm5']]);
  stop.abort();
  await listening;
});

test('a stream that is refused for good throws the refusal', async () => {
  const read = async () => {
    const told: LiveEvent[] = [];
    for await (const event of clientOf('1|nobody').events()) told.push(event);
  };
  await expect(read()).rejects.toMatchObject({ name: 'TutoringError', status: 401 });
});

/** A proxy in front of the gateway that drops the first response of each method and path, after the effect. */
async function startLosing() {
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

test('a request whose response is lost is repeated where that is safe, and nothing happens twice', async () => {
  const losing = await startLosing();
  try {
    const client = clientOf(student.token, losing.url);
    const deposit = payload(await client.POST('/api/deposits', { body: { amount: 500 } }));
    expect(payload(await client.GET('/api/deposits')).map(({ id }) => id)).toEqual([deposit.id]);
    expect(losing.counts.get('POST /api/deposits')).toBe(2);
    expect(losing.counts.get('GET /api/deposits')).toBe(2);
    expect([...losing.keys]).toEqual([expect.any(String), undefined]);

    await expect(client.POST('/api/rooms', { body: { teacher_id: teacher.id } })).rejects.toThrow('fetch failed');
    expect(losing.counts.get('POST /api/rooms')).toBe(1);
  } finally {
    losing.server.close();
    losing.server.closeAllConnections();
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

async function isLetIn(through: GatewayName, token: string): Promise<boolean> {
  const { status, body } = await as(system, token, through).get('api/me');
  expect([200, 401, 403]).toContain(status);
  return status === 200 && body.success === true;
}
const isShutOut = (through: GatewayName, token: string) => async () => !(await isLetIn(through, token));

/** Opens the stream of `token` on that gateway. Returns a function that tells whether it has ended. */
async function streamEnds(through: GatewayName, token: string): Promise<() => boolean> {
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
  for (const [turn, through] of (['gateway', 'second gateway', 'gateway', 'second gateway'] as const).entries()) {
    const path = `api/rooms/${room}/messages`;
    const answer = await as(system, student.token, through).post(path, { message: `turn ${turn}` });
    sent.push(data<{ id: number }>(answer).id);
  }
  for (const listener of listeners) {
    // What was written before may still be on its way.
    const created = () => listener.events.filter(({ event }) => event === 'message.created');
    const received = () => created().flatMap(({ data: { id } }) => (Number(id) < sent[0]! ? [] : [id]));
    await eventually('the last message', () => received().length >= sent.length);
    expect(received()).toEqual(sent);
    listener.close();
  }
});

test('logged out through one gateway, a token is refused and its stream closed by the other at once', async () => {
  expect(await isLetIn('gateway', student.token)).toBe(true);
  expect(await isLetIn('second gateway', student.token)).toBe(true);
  const hasEnded = await streamEnds('second gateway', student.token);
  data(await as(system, student.token).post('api/auth/logout'));
  await eventually('the token is refused', isShutOut('second gateway', student.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});

test('banned through one gateway, an account is shut out by the other at once', async () => {
  expect(await isLetIn('gateway', teacher.token)).toBe(true);
  const hasEnded = await streamEnds('gateway', teacher.token);
  const admin = as(system, await adminToken(system), 'second gateway');
  data(await admin.put(`api/admin/users/${teacher.id}`, { status: 'banned' }));
  await eventually('the token is refused', isShutOut('gateway', teacher.token), SOON_MS);
  await eventually('the stream is closed', hasEnded, SOON_MS);
});
