import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers, type Behaviour } from './stand-in.ts';
import { client, startSystem, student, type System } from './system.ts';

/* One client keeps nobody else out, however much it has under way. Each test has people of its own, and their network. */

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

const PIECE_BYTES = 20_000;
/** Says how long an answer is; of a long one it sends only the beginning, as if its client did not read. */
const begins =
  (bytes: number): Behaviour =>
  (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes });
    if (bytes <= PIECE_BYTES) res.end('x'.repeat(bytes));
    else res.write('x'.repeat(PIECE_BYTES));
  };
const ask = (path: string, headers: Record<string, string>) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\n${lines(headers)}\r\n`;

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
    system.messaging.doesAtOnce(undefined);
    expect((await request(url, 'POST', '/api/rooms', bearer(2), '{}')).status).toBe(200);
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
    ['a person has 12 MiB', 4, 5, 3, () => bearer(21)],
    ['of a first answer that is larger a person has no second one', 24, 4, 1, () => bearer(22)],
    ['a network has half of 96 MiB', 4, 15, 12, (n: number) => bearer(30 + n)],
  ])('%s, others have theirs', async (_what, mib, count, expected, headers) => {
    system.messaging.does(large(mib));
    const open = askAll(count, '/api/rooms', headers);
    expect(await answered(open)).toBe(expected);
    system.messaging.does(answers(200, 'x'.repeat(20_000)));
    const { status } = await client(url)('GET', '/api/rooms', { headers: { ...bearer(50), ...elsewhere } });
    expect(status).toBe(200);
    hangUp(open);
    const works = async () => (await request(url, 'GET', '/api/rooms', { ...here(), ...headers(0) })).status === 200;
    await eventually('it has been given back', works);
  });

  test('small answers are not counted, and several hundred downloads of one network go on', async () => {
    system.messaging.does(begins(16_000));
    const small = askAll(400, '/api/rooms', () => bearer(52));
    expect(await answered(small)).toBe(400);
    system.messaging.does(begins(25_000_000));
    const files = askAll(700, '/api/files/x', () => ({}));
    expect(await answered(files)).toBe(700);
    hangUp([...small, ...files]);
  });

  test('a network that has more than its half gets no reference and no page, others do', async () => {
    system.messaging.does(large(50));
    const open = askAll(1, '/api/rooms', () => bearer(51));
    expect(await answered(open)).toBe(1);
    system.messaging.does(answers(200, {}));
    for (const path of ['/api/docs', '/api/openapi.json', '/api/docs/swagger-ui-bundle.js', '/admin']) {
      const { status, headers } = await request(url, 'GET', path, here());
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
      expect((await request(url, 'GET', path, elsewhere)).status).toBe(200);
    }
    hangUp(open);
    const works = async () => (await request(url, 'GET', '/api/docs', here())).status === 200;
    await eventually('it has been given back', works);
  });
});

describe('of large answers', () => {
  /** The status of an answer, whose rest is left unread. */
  async function statusOf(path: string, who: Record<string, string>) {
    const [line] = dialAll(1, () => ask(path, who));
    await eventually('it is answered', () => line!.text.includes('\r\n\r\n'));
    line!.socket.destroy();
    return Number(line!.text.split(' ')[1]);
  }

  test('a person is refused those for the rest of the minute once they have cost ten seconds, and nothing else', async () => {
    const api = client(url);
    const who = { ...bearer(70), ...here() };
    system.messaging.does(begins(10_000_000));
    const statuses: number[] = [];
    for (let n = 0; n < 20; n += 1) statuses.push(await statusOf('/api/rooms/x', who));
    expect(statuses).toEqual([...Array(17).fill(200), 429, 429, 429]);
    const refused = await api('GET', '/api/rooms/x', { headers: who });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.body).toEqual({ message: 'Too Many Attempts.' });
    system.messaging.does(answers(200, []));
    expect((await api('POST', '/api/rooms', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/support', { headers: who })).status).toBe(200);
    expect((await api('GET', '/api/rooms/x', { headers: { ...bearer(71), ...here() } })).status).toBe(200);
  });

  test('usual answers, and files, cost nothing', async () => {
    const who = { ...bearer(72), ...here() };
    system.messaging.does(begins(64_000));
    for (let n = 0; n < 100; n += 1) expect(await statusOf('/api/rooms/x', who)).toBe(200);
    system.messaging.does(begins(25_000_000));
    for (let n = 0; n < 30; n += 1) expect(await statusOf('/api/files/x', who)).toBe(200);
    expect(await statusOf('/api/rooms/x', who)).toBe(200);
  });
});
