import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import S3rver from 's3rver';
import { z } from 'zod';
import { parseConfig, serviceConfig } from '../src/config.ts';
import { assertThat, AppError } from '../src/errors.ts';
import { filesConfig, unfitFiles } from '../src/files/config.ts';
import { cleanFileName } from '../src/files/file-name.ts';
import { createFiles, newKey, type Files } from '../src/files/files.ts';
import { Download, downloaded } from '../src/http/download.ts';
import { route } from '../src/http/route.ts';
import { defineService } from '../src/service.ts';
import { startTestService, type TestService } from '../src/testing/service.ts';
import { openUpload, upload } from '../src/testing/upload.ts';

const S3_KEYS = { FILES_ACCESS_KEY_ID: 'S3RVER', FILES_SECRET_ACCESS_KEY: 'S3RVER' };
const LIMIT = 12 * 1024 * 1024;

let folder: string;
let s3: S3rver;
let s3Url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'files-test-'));
  s3 = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: join(folder, 's3') },
    configureBuckets: [{ name: 'uploads' }],
  });
  const { port } = await s3.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  s3Url = `s3://uploads/some/where?endpoint=${endpoint}&path_style=1`;
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

/** A service that only takes and returns files. */
const probe = defineService({
  name: 'calls',
  config: serviceConfig.extend(filesConfig.shape),
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: ({ config }) => {
    const files: Files = createFiles(config, 'probe');
    const sizes = new Map<string, number>();
    return {
      routes: [
        route({
          method: 'post',
          path: '/api/files',
          summary: 'Take a file',
          auth: 'public',
          upload: true,
          response: z.strictObject({ key: z.string() }),
          handle: ({ request }) =>
            files.receive(request.upload, LIMIT, async ({ path, size }) => {
              const key = newKey();
              await files.store(key, path);
              sizes.set(key, size);
              return { key };
            }),
        }),
        route({
          method: 'delete',
          path: '/api/files/{key}',
          summary: 'Remove a file',
          auth: 'public',
          params: z.object({ key: z.string() }),
          response: z.array(z.never()),
          handle: async ({ params: { key } }) => {
            await files.remove(key);
            return [];
          },
        }),
        route({
          method: 'get',
          path: '/api/files/{key}',
          summary: 'Give a file',
          auth: 'public',
          params: z.object({ key: z.string() }),
          response: downloaded,
          produces: 'application/octet-stream',
          download: true,
          handle: ({ params: { key } }) => {
            const size = sizes.get(key);
            assertThat(size !== undefined, new AppError('not_found', 'Not here.'));
            return new Download({ contentType: 'audio/mpeg', size, tag: key, open: (range) => files.open(key, range) });
          },
        }),
      ],
    };
  },
});

describe.each([
  ['a folder', () => ({ FILES_URL: pathToFileURL(join(folder, 'folder')).href })],
  ['an S3 store', () => ({ FILES_URL: s3Url, ...S3_KEYS })],
])('files in %s', (_name, environment) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probe, { env: environment() });
  });
  afterAll(() => service.stop());

  const post = async (bytes: Uint8Array) => upload(`${service.url}/api/files`, bytes);
  const get = (key: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${service.url}/api/files/${key}`, { method, headers });
  const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  test.each([0, 1, 70_000, LIMIT])('%i bytes come back as they went', async (size) => {
    const bytes = randomBytes(size);
    const { status, body } = await post(bytes);
    expect(status).toBe(200);
    const answer = await get(body.key);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)]);
    expect((await bytesOf(answer)).equals(bytes)).toBe(true);
  });

  test('also in parts, as heads and not at all', async () => {
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
  });

  test('too large is refused', async () => {
    expect((await post(randomBytes(LIMIT + 1))).status).toBe(413);
  });

  test.each([
    ['ends inside a part that is no file of the form', 'name="other"; filename="a"', ''],
    ['ends inside a second file', 'name="file"; filename="b"', 'name="file"; filename="a"'],
  ])('a form that %s is malformed, and the process goes on', async (_what, last, first) => {
    const part = (disposition: string) => `--f\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nabc`;
    const body = Buffer.from(`${first && `${part(first)}\r\n`}${part(last)}`);
    const headers = { 'content-type': 'multipart/form-data; boundary=f', 'content-length': String(body.length) };
    const sending = openUpload(`${service.url}/api/files`, headers);
    void sending.write(body);
    sending.end();
    expect((await sending.answer).body).toEqual({ code: 'malformed', message: expect.any(String) });
    expect((await post(Buffer.from('x'))).status).toBe(200);
  });

  test('a removed file is gone; removing it again does nothing', async () => {
    const { key } = (await post(Buffer.from('x'))).body;
    const remove = () => fetch(`${service.url}/api/files/${key}`, { method: 'DELETE' });
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200]);
    expect((await get(key)).status).toBe(404);
  });

  test('many at the same time stay apart', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const bytes = Buffer.alloc(200_000, number);
        const { key } = (await post(bytes)).body;
        return (await bytesOf(await get(key))).equals(bytes);
      }),
    );
    expect(all).toEqual(Array(20).fill(true));
  });

  test('nothing of the upload is left', async () => {
    const drafts = (await readdir(folder, { recursive: true })).filter((path) => /\.drafts\/./.test(path));
    expect(drafts).toEqual([]);
  });
});

test.each([
  ['that is away', () => ({ FILES_URL: 's3://uploads?endpoint=http%3A%2F%2F127.0.0.1%3A1&path_style=1', ...S3_KEYS })],
  ['whose bucket is gone', () => ({ FILES_URL: s3Url.replace('uploads', 'nowhere'), ...S3_KEYS })],
  ['whose folder is a file', () => ({ FILES_URL: pathToFileURL(join(fileURLToPath(import.meta.url), 'x')).href })],
])('a store %s is a 503', async (_what, environment) => {
  const service = await startTestService(probe, { env: environment() });
  try {
    const answer = await upload(`${service.url}/api/files`, Buffer.from('x'));
    expect([answer.status, answer.body]).toEqual([
      503,
      { code: 'unavailable', message: 'The file could not be stored. Please try again.' },
    ]);
  } finally {
    await service.stop();
  }
});

test('a disk that takes no more is a 503, and no half file stays', async () => {
  const full = join(folder, 'full');
  const program = `
    import { Readable } from 'node:stream';
    import { createFiles } from ${JSON.stringify(new URL('../src/files/files.ts', import.meta.url).href)};
    const files = createFiles({ FILES_URL: { kind: 'file', folder: ${JSON.stringify(full)} }, FILES_SHARED: false }, 'full');
    const upload = async (_limit, take) => {
      await take(Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(65_536))));
      return 'x';
    };
    await files.receive(upload, 1e9, () => console.log('stored')).catch((error) => console.log(error.code, error.cause.code));
  `;
  const file = join(folder, 'full.mts');
  await writeFile(file, program);
  // A limit on file size makes writes fail as a full disk does.
  const run = spawnSync('sh', ['-c', `ulimit -f 1024; exec "$0" ${file}`, process.execPath], { encoding: 'utf8' });
  expect(run.stdout).toBe('unavailable EFBIG\n');
  expect((await readdir(full, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual([]);
});

test('a draft whose process was killed is removed after an hour', async () => {
  const config = parseConfig(filesConfig, { FILES_URL: pathToFileURL(join(folder, 'drafts')).href });
  const files = createFiles(config, 'kind');
  const drafts = join(folder, 'drafts/kind/.drafts');
  await files.draft(async (path) => writeFile(path, 'x'));
  for (const name of ['old', 'new']) await writeFile(join(drafts, name), 'x');
  const old = new Date(Date.now() - 3_700_000);
  await utimes(join(drafts, 'old'), old, old);
  await files.removeStaleDrafts();
  expect(await readdir(drafts)).toEqual(['new']);
  expect(await readFile(join(drafts, 'new'), 'utf8')).toBe('x');
});

describe('FILES_URL', () => {
  const parse = (FILES_URL: string) => parseConfig(filesConfig, { FILES_URL }).FILES_URL;
  test.each([
    ['file:///var/lib/files', { kind: 'file', folder: '/var/lib/files' }],
    [
      's3://bucket',
      { kind: 's3', bucket: 'bucket', prefix: '', endpoint: undefined, region: 'us-east-1', pathStyle: false },
    ],
    [
      's3://bucket/a/b/?region=eu-west-3&endpoint=https%3A%2F%2Fs3.test&path_style=1',
      {
        kind: 's3',
        bucket: 'bucket',
        prefix: 'a/b/',
        endpoint: 'https://s3.test',
        region: 'eu-west-3',
        pathStyle: true,
      },
    ],
  ])('%s', (url, at) => {
    expect(parse(url)).toEqual(at);
  });

  test.each([
    '',
    '/var/lib',
    'file://host/x',
    'file:///',
    'http://x',
    's3:///x',
    's3://key:secret@b',
    's3://b?regoin=x',
    's3://b?endpoint=x',
  ])('%j is refused', (url) => {
    expect(() => parse(url)).toThrow('FILES_URL');
  });

  test('in production is no folder of one replica alone', () => {
    const unfit = (env: Record<string, string>) =>
      unfitFiles({ ...parseConfig(filesConfig, env), NODE_ENV: 'production' }).map(([name]) => name);
    expect(unfit({ FILES_URL: 'file:///x' })).toEqual(['FILES_URL']);
    expect(unfit({ FILES_URL: 'file:///x', FILES_SHARED: '1' })).toEqual([]);
    expect(unfit({ FILES_URL: 's3://x' })).toEqual([]);
    expect(unfit({ FILES_URL: 's3://x', FILES_ACCESS_KEY_ID: 'x' })).toEqual(['FILES_ACCESS_KEY_ID']);
  });
});

test.each([
  ['a/b\\c.txt', 'c.txt'],
  ['"a\'b`.txt', 'ab.txt'],
  ['\u202eabc\u200f.txt', 'abc.txt'],
  ['  a   b\t.txt ', 'a b.txt'],
  ['a%22b%0D%0A.txt', 'ab.txt'],
  ['/', 'file'],
  ['\ud800', 'file'],
  ['e\u0301.txt', '\u00e9.txt'],
])('the name %j becomes %j', (given, clean) => {
  expect(cleanFileName(given)).toBe(clean);
});
