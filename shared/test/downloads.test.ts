import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { watchRequests } from '../testing/responses.ts';
import { eventually } from '../testing/wait.ts';
import { bytesOf, forEachStore, sending } from './file-kit.ts';

forEachStore(({ url, post, get }) => {
  test('a file can be downloaded in ranges and by HEAD, and is not sent again if the client has it', async () => {
    const bytes = randomBytes(100_000);
    const { key } = (await post(bytes)).body;
    const part = await get(key, { range: 'bytes=500-70499' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 500-70499/100000']);
    expect((await bytesOf(part)).equals(bytes.subarray(500, 70_500))).toBe(true);
    const outside = await get(key, { range: 'bytes=100000-' });
    expect([outside.status, outside.headers.get('content-range')]).toEqual([416, 'bytes */100000']);
    const head = await get(key, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.headers.get('content-type')]).toEqual([
      200,
      '100000',
      'audio/mpeg',
    ]);
    expect((await get(key, { 'if-none-match': `"x", W/"${key}"` })).status).toBe(304);
    for (const answer of [part, head])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-disposition': `inline; filename*=UTF-8''song%20%28%C3%A9t%C3%A9%29%2A.mp3`,
        'content-security-policy': "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'",
        'x-content-type-options': 'nosniff',
      });
  });

  test.each([
    ['0-', [206, 0, 999]],
    ['10-99', [206, 10, 99]],
    ['990-2000', [206, 990, 999]],
    ['-5', [206, 995, 999]],
    // A suffix longer than the file is the whole file.
    ['-2000', [206, 0, 999]],
    ['-0', [416]],
    ['1000-', [416]],
    ['1000-2000', [416]],
    // Invalid or several ranges: the whole file.
    ['9-3', [200]],
    ['2000-1000', [200]],
    ['-', [200]],
    ['a-b', [200]],
    ['0-1,5-9', [200]],
  ])('the range %s of 1,000 bytes is answered with %j', async (range, [status, start = 0, end = 999]) => {
    const bytes = randomBytes(1_000);
    const { key } = (await post(bytes)).body;
    const answer = await get(key, { range: `bytes=${range}` });
    const ranges = { 200: null, 206: `bytes ${start}-${end}/1000`, 416: 'bytes */1000' };
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, ranges[status as 200]]);
    if (status !== 416) expect((await bytesOf(answer)).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test('an empty file has no satisfiable range except a suffix, which is the whole file', async () => {
    const { key } = (await post(Buffer.of())).body;
    const statusOf = async (range: string) => (await get(key, { range: `bytes=${range}` })).status;
    expect([await statusOf('0-'), await statusOf('-5'), await statusOf('-0')]).toEqual([416, 200, 416]);
  });

  const areClosed = () => sending.opened.every(({ closed }) => closed);
  /** Requests the file, and destroys the connection when `ready` resolves. */
  async function leave(key: string, ready: (socket: Socket) => Promise<unknown>): Promise<void> {
    const { hostname, port } = new URL(url());
    const socket = connect(Number(port), hostname);
    socket.write(`GET /api/files/${key} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await ready(socket);
    socket.destroy();
  }

  test('a file is closed if its client disconnected before it was opened', async () => {
    const { key } = (await post(randomBytes(1_000_000))).body;
    sending.opened.length = 0;
    const left = Promise.withResolvers<void>();
    const stopWatching = watchRequests(
      `/api/files/${key}`,
      ({ response }) => void response.once('close', left.resolve),
    );
    sending.before = () => left.promise;
    await leave(key, () => eventually('the file is open', () => sending.opened.length === 1));
    await eventually('it is closed', areClosed);
    stopWatching();
    sending.before = async () => undefined;
  });

  test('2,000 downloads that are aborted at various moments leave no open file', async () => {
    const { key } = (await post(randomBytes(1_000_000))).body;
    sending.opened.length = 0;
    const moments = [
      (socket: Socket) => once(socket, 'connect'),
      (socket: Socket) => once(socket, 'data'),
      () => new Promise((resolve) => setImmediate(resolve)),
    ];
    for (let round = 0; round < 40; round += 1)
      await Promise.all(Array.from({ length: 50 }, (_, n) => leave(key, moments[n % moments.length]!)));
    expect((await bytesOf(await get(key))).length).toBe(1_000_000);
    await eventually('all are closed', areClosed);
    expect(sending.opened.length).toBeGreaterThan(600);
  });
});
