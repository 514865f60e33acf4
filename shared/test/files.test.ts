import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '../kit/process/config.ts';
import { filesConfig, filesConfigProblems } from '../kit/files/config.ts';
import { cleanFileName } from '../kit/files/media.ts';
import { createFiles } from '../kit/files/files.ts';
import { createLogger } from '../kit/process/logger.ts';
import { startTestService } from '../testing/service.ts';
import { openUpload, upload } from '../testing/upload.ts';
import { bytesOf, forEachStore, LIMIT, probe, stores } from './file-kit.ts';

forEachStore(({ url, post, get }) => {
  test.each([0, 1, 70_000, LIMIT])('a file of %i bytes is returned unchanged', async (size) => {
    const bytes = randomBytes(size);
    const { status, body } = await post(bytes);
    expect(status).toBe(200);
    const answer = await get(body.key);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)]);
    expect((await bytesOf(answer)).equals(bytes)).toBe(true);
  });

  test('a file beyond the limit is refused', async () => {
    expect((await post(randomBytes(LIMIT + 1))).status).toBe(413);
  });

  test.each([
    ['ends inside a part that is not its file', 'name="other"; filename="a"', ''],
    ['ends inside a second file', 'name="file"; filename="b"', 'name="file"; filename="a"'],
  ])('a form that %s is malformed and does not end the process', async (_what, last, first) => {
    const part = (disposition: string) => `--f\r\nContent-Disposition: form-data; ${disposition}\r\n\r\nabc`;
    const body = Buffer.from(`${first && `${part(first)}\r\n`}${part(last)}`);
    const headers = { 'content-type': 'multipart/form-data; boundary=f', 'content-length': String(body.length) };
    const sending = openUpload(`${url()}/api/files`, headers);
    void sending.write(body);
    sending.end();
    expect((await sending.answer).body).toEqual({ code: 'malformed', message: expect.any(String) });
    expect((await post(Buffer.from('x'))).status).toBe(200);
  });

  test('a file field without a name and bytes counts as missing', async () => {
    const type = 'application/octet-stream';
    const send = (bytes: Uint8Array, name: string) => upload(`${url()}/api/files`, bytes, { name, type });
    for (const name of ['', ' ']) {
      const { status, body } = await send(Buffer.alloc(0), name);
      expect([status, body.errors]).toEqual([422, { file: ['The file field is required.'] }]);
    }
    expect((await send(Buffer.from('x'), '')).status).toBe(200);
    expect((await send(Buffer.alloc(0), 'empty.txt')).status).toBe(200);
  });

  test('a removed file is not found, and removing it again has no effect', async () => {
    const { key } = (await post(Buffer.from('x'))).body;
    const remove = () => fetch(`${url()}/api/files/${key}`, { method: 'DELETE' });
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 200]);
    expect((await get(key)).status).toBe(404);
  });

  test('simultaneous uploads are not mixed up', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, number) => {
        const bytes = Buffer.alloc(200_000, number);
        const { key } = (await post(bytes)).body;
        return (await bytesOf(await get(key))).equals(bytes);
      }),
    );
    expect(all).toEqual(Array(20).fill(true));
  });

  test('uploads leave no drafts', async () => {
    const drafts = (await readdir(stores.folder, { recursive: true })).filter((path) => /\.drafts\/./.test(path));
    expect(drafts).toEqual([]);
  });
});

test.each([
  [
    'that is unreachable',
    () => ({ FILES_URL: 's3://uploads?region=x&endpoint=http%3A%2F%2F127.0.0.1%3A1&path_style=1', ...stores.S3_KEYS }),
  ],
  ['whose bucket does not exist', () => ({ FILES_URL: stores.s3Url.replace('uploads', 'nowhere'), ...stores.S3_KEYS })],
  ['whose folder is a file', () => ({ FILES_URL: pathToFileURL(join(fileURLToPath(import.meta.url), 'x')).href })],
])('an upload to a store %s is a 503', async (_what, environment) => {
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

test('an upload to a full disk is a 503 and leaves no partial file', async () => {
  const full = join(stores.folder, 'full');
  const program = `
    import { Readable } from 'node:stream';
    import { createFiles } from ${JSON.stringify(new URL('../kit/files/files.ts', import.meta.url).href)};
    const files = createFiles({ FILES_URL: { kind: 'file', folder: ${JSON.stringify(full)} }, FILES_SHARED: false }, 'full', console);
    const upload = async (_limit, take) => {
      await take(Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(65_536))));
      return 'x';
    };
    await files.receive(upload, 1e9, () => console.log('stored')).catch((error) => console.log(error.code, error.cause.code));
  `;
  const file = join(stores.folder, 'full.mts');
  await writeFile(file, program);
  // A limit on file size makes writes fail as a full disk does.
  const run = spawnSync('sh', ['-c', `ulimit -f 1024; exec "$0" ${file}`, process.execPath], { encoding: 'utf8' });
  expect(run.stdout).toBe('unavailable EFBIG\n');
  expect((await readdir(full, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())).toEqual([]);
});

test('a draft of a killed process is removed after an hour', async () => {
  const config = parseConfig(filesConfig, { FILES_URL: pathToFileURL(join(stores.folder, 'drafts')).href });
  const files = createFiles(config, 'kind', createLogger('test', 'silent'));
  const drafts = join(stores.folder, 'drafts/kind/.drafts');
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
      's3://bucket?region=us-east-1',
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
  ])('%s is parsed', (url, at) => {
    expect(parse(url)).toEqual(at);
  });

  test.each([
    '',
    '/var/lib',
    'file://host/x',
    'file:///',
    'http://x',
    's3:///x?region=x',
    's3://b',
    's3://key:secret@b?region=x',
    's3://b?region=x&endpiont=x',
    's3://b?region=x&endpoint=x',
  ])('%j is refused', (url) => {
    expect(() => parse(url)).toThrow('FILES_URL');
  });

  test('must not be a folder in production, unless all replicas share it', () => {
    const unfit = (env: Record<string, string>) =>
      filesConfigProblems({ ...parseConfig(filesConfig, env), NODE_ENV: 'production' }).map(([name]) => name);
    expect(unfit({ FILES_URL: 'file:///x' })).toEqual(['FILES_URL']);
    expect(unfit({ FILES_URL: 'file:///x', FILES_SHARED: '1' })).toEqual([]);
    expect(unfit({ FILES_URL: 's3://x?region=y' })).toEqual([]);
    expect(unfit({ FILES_URL: 's3://x?region=y', FILES_ACCESS_KEY_ID: 'x' })).toEqual(['FILES_ACCESS_KEY_ID']);
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
  // Emoji and some scripts need joiners; a joiner between nothing is removed.
  ['👩\u200d🏫.png', '👩\u200d🏫.png'],
  ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.pdf', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645.pdf'],
  ['\u0915\u094d\u200d\u0937.pdf', '\u0915\u094d\u200d\u0937.pdf'],
  ['\u2764\ufe0f.txt', '\u2764\ufe0f.txt'],
  [
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.txt',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}.txt',
  ],
  ['\u200da\u200d\u200db\u200d.txt\u200d', 'a\u200db.txt'],
  ['a\u{e0067}\u2066b\u2069\u061c\u200e\u2060\ufeff\u00ad.txt', 'ab.txt'],
  ['\u0600\u0661.txt', '\u0600\u0661.txt'],
  ['\u200d', 'file'],
  [`${'👩\u200d🏫'.repeat(80)}.pdf`, `${'👩\u200d🏫'.repeat(50)}.pdf`],
])('the file name %j becomes %j', (given, clean) => {
  expect(cleanFileName(given)).toBe(clean);
});
