import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers, type Behaviour } from './stand-in.ts';
import { client, startSystem, student, type System } from './system.ts';

/* A client with many requests in progress does not exclude others. Each test has its own people and client network. */

let system: System;
let url: string;
let network = 0;
beforeAll(async () => {
  system = await startSystem({
    env: { API_RATE_LIMIT: '100000', TRUSTED_PROXY_HOPS: '1' },
    timings: { upstream: 600_000, download: 600_000 },
  });
  ({ url } = system.gateway);
});
beforeEach(() => {
  network += 1;
  system.messaging.handleRequests(undefined);
  system.messaging.respondWith(answers(200, []));
});
afterAll(() => system.stop());

const here = () => ({ 'x-forwarded-for': `10.1.${network}.7` });
const elsewhere = { 'x-forwarded-for': '10.2.0.7' };
const bearer = (id: number) => ({ authorization: `Bearer ${system.login(student(id))}` });
const lines = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Opens connections, each of which sends one text. */
const dialAll = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => {
    const line = dial(url);
    line.socket.write(text(n));
    return line;
  });
const hangUp = (open: ReturnType<typeof dial>[]) => open.forEach(({ socket }) => socket.destroy());

const PIECE_BYTES = 20_000;
/** Announces the length of an answer but sends only the beginning of a long one, as if the client did not read. */
const begins =
  (bytes: number): Behaviour =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
    if (bytes <= PIECE_BYTES) res.end('x'.repeat(bytes));
    else res.write('x'.repeat(PIECE_BYTES));
  };
const ask = (path: string, headers: Record<string, string>) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${lines(headers)}\r\n`;

describe('requests with incomplete bodies', () => {
  const post = (headers: Record<string, string>) =>
    `POST /api/rooms HTTP/1.1\r\nhost: x\r\n${lines(headers)}content-length: 100\r\n\r\nhalf`;
  const refused = (open: ReturnType<typeof dial>[]) => open.filter(({ text }) => text.startsWith('HTTP/1.1 503'));

  async function begin(count: number, headers: (n: number) => Record<string, string>) {
    let reached = 0;
    system.messaging.handleRequests((req, res) => {
      if (req.method === 'GET') return answers(200, [])(req, res, {} as never);
      reached += 1;
      req.resume();
    });
    const open = dialAll(count, (n) => post({ ...here(), ...headers(n) }));
    await eventually(
      'each request has reached the service or been refused',
      () => reached + refused(open).length === count,
    );
    return open;
  }

  test('are limited to 128 per person and service, and others are still served', async () => {
    const who = bearer(1);
    await client(url)('GET', '/api/rooms', { headers: who });
    const open = await begin(140, () => who);
    expect(refused(open)).toHaveLength(12);
    expect(refused(open)[0]!.text).toMatch(/\r\nRetry-After: 1\r\n/);
    system.messaging.handleRequests(undefined);
    expect((await request(url, 'POST', '/api/rooms', bearer(2), '{}')).status).toBe(200);
    hangUp(open);
  });

  test('are limited to half of the total per network, whoever the people are', async () => {
    const people = Array.from({ length: 8 }, (_, n) => bearer(10 + n));
    for (const who of people) await client(url)('GET', '/api/rooms', { headers: who });
    const open = await begin(540, (n) => people[n % 8]!);
    expect(refused(open)).toHaveLength(540 - 512);
    system.messaging.handleRequests(undefined);
    expect((await request(url, 'POST', '/api/rooms', elsewhere, '{}')).status).toBe(200);
    hangUp(open);
    const works = async () => (await request(url, 'POST', '/api/rooms', here(), '{}')).status === 200;
    await eventually('requests are accepted again', works);
  });
});

describe('reads in progress', () => {
  test('are limited to four per person and service; the others wait in their order, and nobody else does', async () => {
    const reached: string[] = [];
    const finish: (() => void)[] = [];
    system.messaging.handleRequests((req, res) => {
      if (!req.url!.startsWith('/api/rooms/')) return answers(200, [])(req, res, {} as never);
      reached.push(req.url!);
      finish.push(() => void answers(200, [])(req, res, {} as never));
    });
    const who = { ...bearer(60), ...here() };
    const open = dialAll(1, () => ask('/api/rooms', who));
    await eventually('the token is known', () => open[0]!.text.startsWith('HTTP/1.1 200'));
    for (let n = 0; n < 12; n += 1) {
      open.push(...dialAll(1, () => ask(`/api/rooms/${n}`, who)));
      if (n < 4) await eventually('the service has the request', () => reached.length === n + 1);
    }
    expect((await client(url)('POST', '/api/rooms', { headers: who })).status).toBe(200);
    expect((await client(url)('GET', '/api/rooms', { headers: { ...bearer(61), ...here() } })).status).toBe(200);
    expect(reached).toHaveLength(4);
    open[1]!.socket.destroy();
    for (let n = 1; n < 12; n += 1) {
      await eventually('the next request arrives', () => finish.length > n);
      expect(reached.length).toBeLessThanOrEqual(n + 4);
      finish[n]!();
    }
    await eventually(
      'all are answered',
      () => open.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length === 12,
    );
    expect(new Set(reached).size).toBe(12);
    hangUp(open);
  });
});

describe('unread answers', () => {
  const large = (mib: number) => begins(mib * 1024 * 1024);
  const begun = (open: ReturnType<typeof dial>[]) => open.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length;
  const refused = (open: ReturnType<typeof dial>[]) =>
    open.filter(({ text }) => text.startsWith('HTTP/1.1 503')).length;

  const askAll = (count: number, path: string, headers: (n: number) => Record<string, string>) =>
    dialAll(count, (n) => ask(path, { ...here(), ...headers(n) }));
  async function answered(open: ReturnType<typeof dial>[]) {
    await eventually('all are answered', () => begun(open) + refused(open) === open.length);
    return begun(open);
  }

  test.each([
    ['are limited to 12 MiB per person', 4, 5, 3, () => bearer(21)],
    ['beyond 12 MiB are allowed for a single answer per person', 24, 4, 1, () => bearer(22)],
    ['are limited to half of 96 MiB per network', 4, 15, 12, (n: number) => bearer(30 + n)],
  ])('%s, and others are still served', async (_what, mib, count, expected, headers) => {
    system.messaging.respondWith(large(mib));
    const open = askAll(count, '/api/rooms', headers);
    expect(await answered(open)).toBe(expected);
    system.messaging.respondWith(answers(200, 'x'.repeat(20_000)));
    const { status } = await client(url)('GET', '/api/rooms', { headers: { ...bearer(50), ...elsewhere } });
    expect(status).toBe(200);
    hangUp(open);
    const works = async () => (await request(url, 'GET', '/api/rooms', { ...here(), ...headers(0) })).status === 200;
    await eventually('the bytes are available again', works);
  });

  test('are not counted when they are small, and hundreds of downloads of one network are allowed', async () => {
    system.messaging.respondWith(begins(16_000));
    const small = askAll(400, '/api/rooms', () => bearer(52));
    expect(await answered(small)).toBe(400);
    system.messaging.respondWith(begins(25_000_000));
    const files = askAll(700, '/api/files/x', () => ({}));
    expect(await answered(files)).toBe(700);
    hangUp([...small, ...files]);
  });

  test('above the limit of a network keep it from the reference and the dashboard, but not others', async () => {
    system.messaging.respondWith(large(50));
    const open = askAll(1, '/api/rooms', () => bearer(51));
    expect(await answered(open)).toBe(1);
    system.messaging.respondWith(answers(200, {}));
    for (const path of ['/api/docs', '/api/openapi.json', '/api/docs/swagger-ui-bundle.js', '/admin']) {
      const { status, headers } = await request(url, 'GET', path, here());
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
      expect((await request(url, 'GET', path, elsewhere)).status).toBe(200);
    }
    hangUp(open);
    const works = async () => (await request(url, 'GET', '/api/docs', here())).status === 200;
    await eventually('the bytes are available again', works);
  });
});

describe('large answers', () => {
  /** The status of an answer; the rest is not read. */
  async function statusOf(path: string, who: Record<string, string>) {
    const [line] = dialAll(1, () => ask(path, who));
    await eventually('the request is answered', () => line!.text.includes('\r\n\r\n'));
    line!.socket.destroy();
    return Number(line!.text.split(' ')[1]);
  }

  test('that have cost a person ten seconds are refused on that route until the minute ends', async () => {
    const api = client(url);
    const who = { ...bearer(70), ...here() };
    system.messaging.respondWith(begins(10_000_000));
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push(await statusOf('/api/rooms/x', who));
    expect(statuses).toEqual([...Array(17).fill(200), 429, 429, 429]);
    const refused = await api('GET', '/api/rooms/x', { headers: who });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.body).toEqual({ message: 'Too Many Attempts.' });
    system.messaging.respondWith(answers(200, []));
    expect((await api('POST', '/api/rooms', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/support', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/rooms/x', { headers: { ...bearer(71), ...here() } })).status).toBe(200);
  });

  test('cost the same when too many are unread, and are refused for it', async () => {
    const who = { ...bearer(73), ...here() };
    system.messaging.respondWith(begins(12_000_000));
    const unread = dialAll(1, () => ask('/api/rooms/x', who));
    await eventually('the first has begun', () => unread[0]!.text.startsWith('HTTP/1.1 200'));
    const statuses: number[] = [];
    for (let n = 0; n < 16; n += 1) statuses.push(await statusOf('/api/rooms/x', who));
    expect(statuses).toEqual([...Array(13).fill(503), 429, 429, 429]);
    hangUp(unread);
  });

  test('cost something, unlike usual answers and files', async () => {
    const who = { ...bearer(72), ...here() };
    system.messaging.respondWith(begins(64_000));
    for (let n = 0; n < 100; n += 1) expect(await statusOf('/api/rooms/x', who)).toBe(200);
    system.messaging.respondWith(begins(25_000_000));
    for (let n = 0; n < 30; n += 1) expect(await statusOf('/api/files/x', who)).toBe(200);
    expect(await statusOf('/api/rooms/x', who)).toBe(200);
  });
});
