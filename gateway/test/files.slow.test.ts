import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { form, openUpload, upload } from '@tutoring/shared/testing/upload';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, student, type System } from './system.ts';

const MIB = 1024 * 1024;
const plain = (statusCode: number, message: string) => ({ success: false, statusCode, message });

let system: System;
let authorization: string;
beforeEach(async () => {
  system = await startSystem();
  authorization = `Bearer ${system.login(student(1))}`;
});
afterEach(() => system.stop());

const ROOM = '/api/rooms/3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11/files';
const FORM = { 'content-type': 'multipart/form-data; boundary=frontier' };
const opened = (path: string, headers: Record<string, string> = {}, url = system.gateway.url) =>
  openUpload(`${url}${path}`, { ...FORM, authorization, ...headers });

/** Paths of requests that reached a service, except verifications of tokens. */
const forwardedPaths = () =>
  [...system.identity.received, ...system.messaging.received]
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('/internal/'));

/** A gateway with short time-outs, except for files. */
const hasty = (timings: object = {}) =>
  system.addGateway({ timings: { upstream: 1_500, wholeRequest: 1_500, connectionsCheck: 50, ...timings } });

describe('a file upload', () => {
  test.each([ROOM, '/api/support/files', ROOM.replace('/api', '/api/admin')])('to %s may have 30 MiB', async (path) => {
    const sizes: number[] = [];
    system.messaging.handleRequests((req, res) => {
      let size = 0;
      req.on('data', (piece: Buffer) => (size += piece.length));
      req.once('end', () => {
        sizes.push(size);
        res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1}');
      });
    });
    const bytes = randomBytes(30 * MIB);
    const answer = await upload(`${system.gateway.url}${path}`, bytes, { headers: { authorization } });
    expect([answer.status, answer.body]).toEqual([200, { success: true, statusCode: 200, data: { id: 1 } }]);
    expect(sizes).toEqual([form(bytes).body.length]);
  });

  test.each([
    ['/api/me/photo', 6 * MIB],
    [ROOM, 101 * MIB],
    ['/api/me', 2 * MIB],
    ['/api/me/photo/x', 2 * MIB],
    ['/api/rooms/files', 2 * MIB],
    ['/api/wallet/files', 2 * MIB],
  ])('to %s of %i bytes is refused because of its announced length', async (path, size) => {
    const sending = opened(path, { 'content-length': String(size) });
    void sending.write(Buffer.alloc(1_000));
    const answer = await sending.answer;
    expect([answer.status, answer.body]).toEqual([413, plain(413, 'The request body is too large.')]);
    sending.leave();
    expect(forwardedPaths()).toEqual([]);
  });

  test('without an announced length is counted', async () => {
    const sending = opened('/api/me/photo');
    void (async () => {
      for (let piece = 0; piece < 7; piece += 1) await sending.write(Buffer.alloc(MIB));
    })();
    expect((await sending.answer).status).toBe(413);
    sending.leave();
    expect(forwardedPaths()).toEqual([]);
  });

  test('that the service refuses at once is answered while the client still sends, and is aborted', async () => {
    let isEnded = false;
    system.messaging.handleRequests((req, res) => {
      req.socket.once('close', () => (isEnded = true));
      answers(413, { code: 'too_large', message: 'The request body is too large.' })(req, res, {} as never);
    });
    const sending = opened(ROOM, { 'content-length': String(50 * MIB) });
    let isOver = false;
    const sender = (async () => {
      while (!isOver) await sending.write(Buffer.alloc(64 * 1024));
    })();
    const answer = await sending.answer;
    expect([answer.status, answer.headers['connection'], answer.body]).toEqual([
      413,
      'close',
      plain(413, 'The request body is too large.'),
    ]);
    isOver = true;
    sending.leave();
    await Promise.race([sender, Promise.resolve()]);
    await eventually('the request to the service is aborted', () => isEnded);
  });

  test('waits for a service that reads slowly, and the gateway does not buffer it', async () => {
    let stalled: IncomingMessage | undefined;
    system.messaging.handleRequests((req, res) => {
      stalled = req;
      req.once('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    });
    const size = 64 * MIB;
    const sending = opened(ROOM, { 'content-length': String(size) });
    let sent = 0;
    const sender = (async () => {
      const piece = Buffer.alloc(MIB);
      for (; sent < size; sent += piece.length) await sending.write(piece);
      sending.end();
    })();
    await eventually('the service has it', () => stalled);
    let before = -1;
    let still = 0;
    await eventually('no more bytes are accepted', () => {
      still = sent === before ? still + 1 : 0;
      before = sent;
      return still === 20;
    });
    // What the sockets' buffers can hold.
    expect(sent).toBeLessThan(32 * MIB);
    stalled!.resume();
    await sender;
    expect((await sending.answer).status).toBe(200);
  });

  test('may be slower than other bodies, but must not stop', async () => {
    system.messaging.respondWith(answers(200, {}));
    const { url } = await hasty({ uploadPause: 5_000 });
    const { body } = form(Buffer.alloc(20));
    const sending = opened(ROOM, { 'content-length': String(body.length) }, url);
    let sent = 0;
    const since = performance.now();
    const dropping = setInterval(() => {
      // Single bytes for longer than other bodies may take, then the rest, long before a stop would count.
      const size = performance.now() - since > 2_000 ? body.length : 1;
      if (sent < body.length) void sending.write(body.subarray(sent, (sent += size)));
    }, 20);
    expect((await sending.answer).status).toBe(200);
    clearInterval(dropping);
    sending.end();

    const silent = opened(ROOM, { 'content-length': '1000' }, url);
    void silent.write(Buffer.alloc(10));
    const answer = await silent.answer;
    expect([answer.status, answer.body]).toEqual([408, plain(408, 'The request took too long to arrive.')]);
    const endless = opened(
      ROOM,
      { 'content-length': '1000' },
      (await hasty({ wholeUpload: 400, requestHeaders: 200 })).url,
    );
    // After reading: a failed write would discard an answer that has arrived.
    const drops = setInterval(() => setImmediate(() => void endless.write(Buffer.of(1))), 20);
    expect((await endless.answer).status).toBe(408);
    clearInterval(drops);
  });

  test('is aborted when its client disconnects, and a PUT is not an upload', async () => {
    let isEnded = false;
    system.messaging.handleRequests((req) => void req.socket.once('close', () => (isEnded = true)));
    const sending = opened(ROOM, { 'content-length': '1000000' });
    await sending.write(Buffer.alloc(1_000));
    await eventually('the service has it', () => system.messaging);
    sending.leave();
    system.messaging.handleRequests(undefined);
    await eventually(
      'the request is aborted, or never arrived',
      () => isEnded || system.messaging.received.length === 0,
    );
    const put = await request(system.gateway.url, 'PUT', ROOM, { authorization }, 'x'.repeat(2 * MIB));
    expect(put.status).toBe(413);
  });
});

describe('a file download', () => {
  const PHOTO = '/api/photos/abc';
  test.each([
    [PHOTO, () => system.identity],
    ['/api/files/abc', () => system.messaging],
    ['/api/bookings.ics?token=12.x', () => system.calls],
  ])(
    'from %s supports ranges, conditional requests and HEAD, and keeps the headers of the service',
    async (path, owner) => {
      const given = {
        ...{ 'content-type': 'image/jpeg', etag: '"abc"', 'accept-ranges': 'bytes', 'content-range': 'bytes 0-3/9' },
        'content-disposition': 'attachment; filename="x"',
        'cache-control': 'private, no-cache',
        'content-security-policy': "sandbox; default-src 'none'",
      };
      owner().respondWith((_req, res) => res.writeHead(206, { ...given, 'content-length': '4' }).end('JPEG'));
      const asked = { range: 'bytes=0-3', 'if-range': '"abc"', 'if-none-match': '"x"' };
      const part = await request(system.gateway.url, 'GET', path, asked);
      expect([part.status, part.body]).toEqual([206, 'JPEG']);
      expect(part.headers).toMatchObject({ ...given, 'x-content-type-options': 'nosniff', 'x-status-code': '206' });
      expect(owner().received.at(-1)).toMatchObject({ method: 'GET', headers: asked });

      owner().respondWith((_req, res) => res.writeHead(304, { etag: '"abc"' }).end());
      const same = await request(system.gateway.url, 'GET', path, { 'if-none-match': '"abc"' });
      expect([same.status, same.body, same.headers.etag]).toEqual([304, '', '"abc"']);

      owner().respondWith((_req, res) => res.writeHead(200, { 'content-length': '9' }).end());
      const head = await request(system.gateway.url, 'HEAD', path);
      expect([head.status, head.headers['content-length'], owner().received.at(-1)!.method]).toEqual([
        200,
        '9',
        'HEAD',
      ]);

      const problem = { code: 'range_not_satisfiable', message: 'The range is not inside the file.' };
      owner().respondWith(answers(416, problem, { 'content-range': 'bytes */9' }));
      const outside = await request(system.gateway.url, 'GET', path, { range: 'bytes=99-' });
      expect([outside.status, outside.headers['content-range'], JSON.parse(outside.body)]).toEqual([
        416,
        'bytes */9',
        plain(416, problem.message),
      ]);
      owner().respondWith(answers(404, { code: 'not_found', message: 'Gone.' }));
      const gone = await request(system.gateway.url, 'GET', path, { origin: 'https://app.test' });
      expect([gone.status, JSON.parse(gone.body)]).toEqual([404, plain(404, 'Gone.')]);
      expect(gone.headers['access-control-allow-origin']).toBe('*');
    },
  );

  test('aborts the request to the service when the client disconnects', async () => {
    let isEnded = false;
    system.messaging.handleRequests((req, res) => {
      req.socket.once('close', () => (isEnded = true));
      res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': String(500 * MIB) });
      const more = () => {
        while (!res.destroyed && res.write(Buffer.alloc(MIB)));
      };
      res.on('drain', more);
      more();
    });
    const line = dial(system.gateway.url);
    line.socket.write('GET /api/files/abc HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the file arrives', () => line.socket.bytesRead > MIB);
    line.socket.destroy();
    await eventually('the request to the service is aborted', () => isEnded);
  });

  test('is the only request whose ranges and conditions are forwarded', async () => {
    await request(system.gateway.url, 'GET', '/api/rooms', {
      authorization,
      range: 'bytes=0-3',
      'if-none-match': '"x"',
    });
    expect(Object.keys(system.messaging.received.at(-1)!.headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(range|if-none-match)$/)]),
    );
    expect((await request(system.gateway.url, 'HEAD', '/api/rooms')).status).toBe(405);
  });

  test('may be interrupted by a pause of the service', async () => {
    const { url } = await hasty();
    let isDone = false;
    system.messaging.respondWith((_req, res) => {
      res.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '8' }).write('half');
      setTimeout(() => {
        isDone = true;
        res.end('half');
      }, 3_000);
    });
    const line = dial(url);
    line.socket.write('GET /api/files/abc HTTP/1.1\r\nhost: x\r\n\r\n');
    await eventually('the whole file has arrived', () => line.text.endsWith('halfhalf'));
    expect(isDone).toBe(true);
    line.socket.destroy();
  });
});
