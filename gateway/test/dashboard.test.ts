import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { watchRequests } from '@tutoring/shared/testing/responses';
import { eventually } from '@tutoring/shared/testing/wait';
import { dial, request } from './raw.ts';
import { answers } from './stand-in.ts';
import { startSystem, type System } from './system.ts';

const PAGE = '<!doctype html><title>The dashboard</title>';
const SCRIPT = 'console.log("dashboard");'.repeat(100);

let folder: string;
let system: System;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  for (const [name, content] of Object.entries({ 'index.html': PAGE, 'assets/main-abc.js': SCRIPT })) {
    await writeFile(join(folder, name), content);
    await writeFile(join(folder, `${name}.br`), brotliCompressSync(content));
    await writeFile(join(folder, `${name}.gz`), gzipSync(content));
  }
  await writeFile(join(folder, '.vite/manifest.json'), '{}');
  // Two requests per minute: these tests would fail if the API's limits counted their requests.
  system = await startSystem({ env: { DASHBOARD_FOLDER: folder, API_RATE_LIMIT: '2', AUTH_RATE_LIMIT: '2' } });
});
afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  request(system.gateway.url, method, path, headers);

describe('the dashboard', () => {
  test.each(['/admin', '/admin/', '/admin/people', '/admin/people/7/show?x=1', '/admin/api/people'])(
    'serves its page at %s, to be revalidated every time',
    async (path) => {
      const { status, headers, body } = await get(path);
      expect([status, body]).toEqual([200, PAGE]);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    },
  );

  test.each([
    ['br', 'gzip, deflate, br'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0, gzip'],
    [undefined, 'identity'],
  ])('serves a file as %s to a client that accepts %s', async (encoding, accepted) => {
    const { status, headers } = await get('/admin/assets/main-abc.js', { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(headers['content-encoding']).toBe(encoding);
  });

  test('answers a 304 for what the browser already has', async () => {
    for (const path of ['/admin/people', '/admin/assets/main-abc.js']) {
      const { headers } = await get(path, { 'accept-encoding': 'br' });
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': headers.etag! });
      expect([again.status, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    }
  });

  test('allows no inline script, no eval, no inline style, no other host and no frame', async () => {
    const { headers } = await get('/admin');
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split(';')
        .map((rule) => {
          const [name = '', ...sources] = rule.trim().split(' ');
          return [name, sources];
        }),
    );
    expect(policy).toEqual({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      // The hash of the empty text.
      'style-src': ["'self'", "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
      'connect-src': ["'self'"],
      'img-src': ["'self'", 'http://public.test', 'data:', 'blob:'],
      'media-src': ["'self'", 'http://public.test', 'blob:'],
      'font-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-request-id': expect.any(String),
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test.each([
    '/admin/assets/none',
    '/admin/assets/none/deeper',
    '/admin/assets/',
    '/admin/assets',
    '/admin/assets/none.js',
    '/admin/none.css',
    '/admin/.vite/manifest.json',
    '/admin/../secret.txt',
  ])('answers a 404 that is not cached for %s', async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  });

  test('supports only GET and HEAD', async () => {
    const head = await get('/admin', {}, 'HEAD');
    expect([head.status, head.body]).toEqual([200, '']);
    const post = await get('/admin/people', {}, 'POST');
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  test('does not hide paths of the API below /api/admin', async () => {
    system.identity.respondWith(answers(200, { ok: true }));
    const { status, headers } = await get('/api/admin/stats');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect((await get('/administrator')).status).toBe(404);
  });

  test('leaves no file open when a client with many requests disconnects', async () => {
    const files: Readable[] = [];
    const path = '/admin/assets/main-abc.js';
    const stopWatching = watchRequests(path, ({ response }) => {
      response.on('pipe', (file: Readable) => files.push(file));
    });
    const ask = `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
    for (const count of [...Array(60).fill(8), ...Array(5).fill(400)]) {
      const line = dial(system.gateway.url);
      line.socket.pause();
      line.socket.write(ask.repeat(count));
      await eventually('the requests are sent', () => line.socket.writableLength === 0);
      line.socket.destroy();
    }
    for (let n = 0; n < 8; n += 1) expect((await get(path)).status).toBe(200);
    await eventually('all files are closed', () => files.every(({ closed }) => closed));
    expect(files.length).toBeGreaterThan(60);
    stopWatching();
  });

  test('answers 3,000 requests per minute and address, then refuses with a 429', async () => {
    const one = await system.addGateway({ env: { AUTH_RATE_LIMIT: '1', API_RATE_LIMIT: '1' } });
    const counts = new Map<number, number>();
    const ask = async () => {
      const { status, headers } = await fetch(`${one.url}/admin/none.js`);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    };
    for (let n = 0; n < 101; n += 1) await Promise.all(Array.from({ length: 30 }, ask));
    expect(Object.fromEntries(counts)).toEqual({ 404: 3_000, 429: 30 });
    expect((await fetch(`${one.url}/api/rooms`)).status).toBe(200);
  });

  test('answers a 404 that says so when it is not built', async () => {
    const without = await system.addGateway({ env: { DASHBOARD_FOLDER: await mkdtemp(join(folder, 'empty-')) } });
    for (const path of ['/admin', '/admin/people']) {
      const { status, body } = await request(without.url, 'GET', path);
      expect([status, body]).toEqual([404, expect.stringContaining('The dashboard is not built here.')]);
    }
    expect((await request(without.url, 'GET', '/admin/none.js')).body).toContain('could not be found');
  });
});
