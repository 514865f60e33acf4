import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createCache } from '../cache.ts';
import type { ByteRange } from '../http/serve/download.ts';
import { STORE_CONNECT_MS, STORE_SILENCE_MS } from '../process/deadlines.ts';
import type { FilesConfig } from './config.ts';

/** Stores files by key. A file is complete or absent, and never changes. */
export interface FileStore {
  /** Moves a complete local file into the store. Idempotent. */
  put(key: string, path: string): Promise<void>;
  /** The bytes of the file; undefined when it does not exist. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Also succeeds when the file does not exist. */
  remove(key: string): Promise<void>;
}

/** Syncs a folder, so that a rename into it survives a crash of the machine. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Stores files in subfolders by the first two letters of the key. `put` needs drafts on the same file system. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  return {
    async put(key, path) {
      const to = pathOf(key);
      await mkdir(dirname(to), { recursive: true });
      await rename(path, to);
      await sync(dirname(to));
    },
    async open(key, range) {
      const handle = await open(pathOf(key), 'r').catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
      return handle?.createReadStream(range);
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  };
}

type S3Location = Extract<FilesConfig['FILES_URL'], { kind: 's3' }>;

/** The SDK must not log: its errors are logged as causes of refusals. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Stores files in a bucket of an S3-compatible store. Loads the SDK at the first use. */
export function createS3Store(
  at: S3Location,
  key: { accessKeyId: string; secretAccessKey: string } | undefined,
): FileStore {
  const s3 = createCache(async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: at.region,
      forcePathStyle: at.pathStyle,
      logger: SILENT,
      // Stores other than Amazon's often do not support trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: STORE_CONNECT_MS, socketTimeout: STORE_SILENCE_MS },
      ...(at.endpoint !== undefined && { endpoint: at.endpoint }),
      ...(key && { credentials: key }),
    });
    return { sdk, client };
  }, Infinity);
  const objectOf = (name: string) => ({ Bucket: at.bucket, Key: `${at.prefix}${name}` });

  return {
    async put(name, path) {
      const { sdk, client } = await s3();
      const { size } = await stat(path);
      const bytes = createReadStream(path);
      try {
        await client.send(new sdk.PutObjectCommand({ ...objectOf(name), Body: bytes, ContentLength: size }));
      } finally {
        bytes.destroy();
      }
    },
    async open(name, range) {
      const { sdk, client } = await s3();
      const wanted = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ ...objectOf(name), ...wanted }));
        return Body as Readable | undefined;
      } catch (error) {
        if (['NoSuchKey', 'NotFound'].includes((error as Error).name)) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { sdk, client } = await s3();
      await client.send(new sdk.DeleteObjectCommand(objectOf(name)));
    },
  };
}
