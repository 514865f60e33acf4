import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe } from '@jest/globals';
import S3rver from '@20minutes/s3rver';
import { z } from 'zod';
import { serviceConfig } from '../contract/config.ts';
import { AppError, assertThat } from '../kit/errors.ts';
import { filesConfig } from '../kit/files/config.ts';
import { createFiles, newKey, type Files } from '../kit/files/files.ts';
import { Download, downloadSchema, type ByteRange } from '../kit/http/serve/download.ts';
import { route } from '../kit/http/declare/route.ts';
import { defineService } from '../contract/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { upload } from '../testing/upload.ts';

export const LIMIT = 12 * 1024 * 1024;
const S3_KEYS = { FILES_ACCESS_KEY_ID: 'S3RVER', FILES_SECRET_ACCESS_KEY: 'S3RVER' };

/** A folder of the test file, and the URL of an S3 server that stores its files in it. */
export const stores = { folder: '', s3Url: '', S3_KEYS };
let s3: S3rver;
beforeAll(async () => {
  stores.folder = await mkdtemp(join(tmpdir(), 'files-test-'));
  s3 = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory: join(stores.folder, 's3') },
    configureBuckets: [{ name: 'uploads' }],
  });
  const { port } = await s3.run();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  stores.s3Url = `s3://uploads/some/where?region=us-east-1&endpoint=${endpoint}&path_style=1`;
});
afterAll(async () => {
  await s3.close();
  await rm(stores.folder, { recursive: true, force: true });
});

/** The streams that the service has opened, and a hook that it awaits before sending them. */
export const sending = { opened: [] as Readable[], before: async (): Promise<void> => undefined };

/** A service that stores and returns files. */
export const probe = defineService({
  name: 'calls',
  config: serviceConfig.extend(filesConfig.shape),
  migrations: new URL('../../services/calls/migrations/', import.meta.url),
  build: ({ config, logger }) => {
    const files: Files = createFiles(config, 'probe', logger);
    const sizes = new Map<string, number>();
    return {
      routes: [
        route('post /api/files', {
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
        route('delete /api/files/{key}', {
          summary: 'Remove a file',
          auth: 'public',
          params: z.object({ key: z.string() }),
          response: z.array(z.never()),
          handle: async ({ params: { key } }) => {
            await files.remove(key);
            return [];
          },
        }),
        route('get /api/files/{key}', {
          summary: 'Give a file',
          auth: 'public',
          params: z.object({ key: z.string() }),
          response: downloadSchema,
          produces: 'application/octet-stream',
          download: true,
          handle: ({ params: { key } }) => {
            const size = sizes.get(key);
            assertThat(size !== undefined, () => new AppError('not_found', 'Not here.'));
            const open = async (range?: ByteRange) => {
              const bytes = await files.open(key, range);
              if (bytes) sending.opened.push(bytes);
              await sending.before();
              return bytes;
            };
            const name = 'song (été)*.mp3';
            return new Download({ contentType: 'audio/mpeg', size, tag: key, name, isAttachment: false, open });
          },
        }),
      ],
    };
  },
});

/** Runs the tests with each driver. */
export function forEachStore(tests: (at: ReturnType<typeof clientOf>) => void): void {
  describe.each([
    ['a folder', () => ({ FILES_URL: pathToFileURL(join(stores.folder, 'folder')).href })],
    ['an S3 store', () => ({ FILES_URL: stores.s3Url, ...S3_KEYS })],
  ])('files in %s', (_name, environment) => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(probe, { env: environment() });
    });
    afterAll(() => service.stop());
    tests(clientOf(() => service.url));
  });
}

const clientOf = (url: () => string) => ({
  url,
  post: (bytes: Uint8Array) => upload(`${url()}/api/files`, bytes),
  get: (key: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url()}/api/files/${key}`, { method, headers }),
});

export const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
