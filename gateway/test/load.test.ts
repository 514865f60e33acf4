import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { client, startSystem, student, type System } from './system.ts';

/* One client keeps nobody else out, however much it has under way. Each test has people of its own, and their network. */

let system: System;
let url: string;
let network = 0;
beforeAll(async () => {
  system = await startSystem({ env: { API_RATE_LIMIT: '100000', TRUSTED_PROXY_HOPS: '1' } });
  ({ url } = system.gateway);
});
beforeEach(() => {
  network += 1;
  system.messaging.doesAtOnce(undefined);
  system.messaging.does(answers(200, []));
});
afterAll(() => system.stop());

const here = () => ({ 'x-forwarded-for': `10.1.${network}.7` });
const elsewhere = { 'x-forwarded-for': '10.2.0.7' };
const bearer = (id: number) => ({ authorization: `Bearer ${system.login(student(id))}` });
const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Opens connections that send only this. */
const dialAll = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => {
    const line = dial(url);
    line.socket.write(text(n));
    return line;
  });
const hangUp = (open: ReturnType<typeof dial>[]) => open.forEach(({ socket }) => socket.destroy());

describe('of requests whose bodies still arrive', () => {
  const post = (headers: Record<string, string>) =>
    `POST /api/rooms HTTP/1.1\r\nhost: x\r\n${lines(headers)}content-length: 100\r\n\r\nhalf`;
  const refused = (open: ReturnType<typeof dial>[]) => open.filter(({ text }) => text.startsWith('HTTP/1.1 503'));

  async function begin(count: number, headers: (n: number) => Record<string, string>) {
    let reached = 0;
    system.messaging.doesAtOnce((req, res) => {
      if (req.method === 'GET') return answers(200, [])(req, res, {} as never);
      reached += 1;
      req.resume();
    });
    const open = dialAll(count, (n) => post({ ...here(), ...headers(n) }));
    await eventually('each is at its service or refused', () => reached + refused(open).length === count);
    return open;
  }

  test('a person has 128 at one service, and others go on', async () => {
    const who = bearer(1);
    await client(url)('GET', '/api/rooms', { headers: who });
    const open = await begin(140, () => who);
    expect(refused(open)).toHaveLength(12);
    expect(refused(open)[0]!.text).toMatch(/\r\nRetry-After: 1\r\n/);
    expect((await request(url, 'POST', '/api/rooms', bearer(2), '{}')).status).not.toBe(503);
    hangUp(open);
  });

  test('a network has half of the places, whoever the people are', async () => {
    const people = Array.from({ length: 8 }, (_, n) => bearer(10 + n));
    for (const who of people) await client(url)('GET', '/api/rooms', { headers: who });
    const open = await begin(540, (n) => people[n % 8]!);
    expect(refused(open)).toHaveLength(540 - 512);
    system.messaging.doesAtOnce(undefined);
    expect((await request(url, 'POST', '/api/rooms', elsewhere, '{}')).status).toBe(200);
    hangUp(open);
    const works = async () => (await request(url, 'POST', '/api/rooms', here(), '{}')).status === 200;
    await eventually('the places are free again', works);
  });
});

describe('of unread answers', () => {
  const MIB = 1024 * 1024;
  /** The systems on both sides take some of it. */
  const large = (mib: number) => answers(200, 'x'.repeat(mib * MIB));
  const ask = (path: string, headers: Record<string, string>) =>
    `GET ${path} HTTP/1.1\r\nhost: x\r\n${lines(headers)}\r\n`;
  const begun = (open: ReturnType<typeof dial>[]) => open.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length;
  const refused = (open: ReturnType<typeof dial>[]) =>
    open.filter(({ text }) => text.startsWith('HTTP/1.1 503')).length;

  /** Asks, and reads no more than the beginning of each answer. */
  function askUnread(count: number, path: string, headers: (n: number) => Record<string, string>) {
    const open = dialAll(count, (n) => ask(path, { ...here(), ...headers(n) }));
    for (const { socket } of open) socket.once('data', () => socket.pause());
    return open;
  }

  test('a person has 12 MiB, others theirs', async () => {
    const who = bearer(21);
    system.messaging.does(large(8));
    const open = askUnread(8, '/api/rooms', () => who);
    await eventually('all are answered', () => begun(open) + refused(open) === 8);
    expect(refused(open)).toBeGreaterThan(0);
    const { status } = await client(url)('GET', '/api/rooms', { headers: { ...bearer(22), ...here() } });
    expect(status).toBe(200);
    hangUp(open);
  });

  test('a network has half of 96 MiB, others theirs', async () => {
    system.messaging.does(large(8));
    const open = askUnread(12, '/api/rooms', (n) => bearer(30 + n));
    await eventually('all are answered', () => begun(open) + refused(open) === 12);
    expect(refused(open)).toBeGreaterThan(0);
    const { status } = await client(url)('GET', '/api/rooms', { headers: { ...bearer(50), ...elsewhere } });
    expect(status).toBe(200);
    hangUp(open);
  });
});

describe('of reads', () => {
  test('one client has eight under way at a service, the others wait for them, and nobody else does', async () => {
    const held: [IncomingMessage, ServerResponse][] = [];
    const isOurs = (req: IncomingMessage) => req.url === '/api/rooms?ours';
    system.messaging.does((req, res, received) => {
      if (isOurs(req)) held.push([req, res]);
      else answers(200, [])(req, res, received);
    });
    const who = { ...bearer(60), ...here() };
    await client(url)('GET', '/api/rooms', { headers: who });
    const asked = Array.from({ length: 20 }, () => client(url)('GET', '/api/rooms?ours', { headers: who }));
    await eventually('eight are under way', () => held.length === 8);
    expect((await client(url)('GET', '/api/rooms', { headers: { ...bearer(61), ...here() } })).status).toBe(200);
    expect((await client(url)('POST', '/api/rooms', { headers: who })).status).toBe(200);
    expect((await client(url)('GET', '/api/calls', { headers: who })).status).toBe(200);
    expect(held).toHaveLength(8);
    for (let n = 0; n < 20; n += 1) {
      await eventually('the next one is under way', () => held[n] !== undefined);
      answers(200, [])(...held[n]!, {} as never);
    }
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(20).fill(200));
  });

  test('one that waits and leaves is never sent', async () => {
    const held: ServerResponse[] = [];
    system.messaging.doesAtOnce((_req, res) => void held.push(res));
    const ask = `GET /api/rooms HTTP/1.1\r\nhost: x\r\n${lines(here())}\r\n`;
    const first = dialAll(8, () => ask);
    await eventually('eight are under way', () => held.length === 8);
    const waiting = dialAll(1, () => ask);
    await eventually('it is sent', () => waiting.every(({ socket }) => socket.writableLength === 0));
    hangUp(waiting);
    await Promise.all(waiting.map(({ closed }) => closed));
    hangUp(first);
    system.messaging.doesAtOnce(undefined);
    expect((await request(url, 'GET', '/api/rooms', here())).status).toBe(200);
  });
});

describe('of large answers', () => {
  const of = (bytes: number) => answers(200, 'x'.repeat(bytes));

  test('a person is refused those for the rest of the minute once they have cost ten seconds, and nothing else', async () => {
    const api = client(url);
    const who = { ...bearer(70), ...here() };
    const other = { ...bearer(71), ...here() };
    system.messaging.does(of(10_000_000));
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push((await api('GET', '/api/rooms/x', { headers: who })).status);
    expect(statuses).toEqual([...Array(17).fill(200), 429, 429, 429]);
    const refused = await api('GET', '/api/rooms/x', { headers: who });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.body).toEqual({ message: 'Too Many Attempts.' });
    system.messaging.does(answers(200, []));
    expect((await api('POST', '/api/rooms', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/support', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/rooms/x', { headers: other })).status).toBe(200);
  });

  test('usual answers, and files, cost nothing', async () => {
    const api = client(url);
    const who = { ...bearer(72), ...here() };
    system.messaging.does(of(60_000));
    for (let n = 0; n < 300; n += 1) expect((await api('GET', '/api/rooms/x', { headers: who })).status).toBe(200);
    system.messaging.does(of(10_000_000));
    for (let n = 0; n < 30; n += 1) expect((await api('GET', '/api/files/x', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/rooms/x', { headers: who })).status).toBe(200);
  });
});
