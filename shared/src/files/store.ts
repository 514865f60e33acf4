import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createFresh } from '../fresh.ts';
import type { ByteRange } from '../http/serve/download.ts';
import { STORE_CONNECT_MS, STORE_SILENCE_MS } from '../process/deadlines.ts';
import type { FilesConfig } from './config.ts';

/** Stores files by key. A key's content never changes: it is complete, or absent. */
export interface FileStore {
  /** Moves a complete file of the local disk into the store. It may be repeated. */
  put(key: string, path: string): Promise<void>;
  /** Its bytes; undefined when there is none. */
  open(key: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Succeeds also when there is none. */
  remove(key: string): Promise<void>;
}

/** fsync: what was renamed into the folder survives a crash of the machine. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** Files in subfolders by the first two letters of their keys. `put` moves them within the same file system. */
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

type S3At = Extract<FilesConfig['FILES_URL'], { kind: 's3' }>;

/** The store's message goes into our own log, as the cause of a refusal. */
const SILENT = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Files in a bucket of an S3-compatible store. The SDK is loaded at the first use. */
export function createS3Store(at: S3At, key: { accessKeyId: string; secretAccessKey: string } | undefined): FileStore {
  const s3 = createFresh(async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      region: at.region,
      forcePathStyle: at.pathStyle,
      logger: SILENT,
      // Stores other than Amazon's often do not know trailing checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: { connectionTimeout: STORE_CONNECT_MS, socketTimeout: STORE_SILENCE_MS },
      ...(at.endpoint !== undefined && { endpoint: at.endpoint }),
      ...(key && { credentials: key }),
    });
    return { sdk, client };
  }, Infinity);
  const place = (name: string) => ({ Bucket: at.bucket, Key: `${at.prefix}${name}` });

  return {
    async put(name, path) {
      const { sdk, client } = await s3();
      const { size } = await stat(path);
      const bytes = createReadStream(path);
      try {
        await client.send(new sdk.PutObjectCommand({ ...place(name), Body: bytes, ContentLength: size }));
      } finally {
        bytes.destroy();
      }
    },
    async open(name, range) {
      const { sdk, client } = await s3();
      const wanted = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ ...place(name), ...wanted }));
        return Body as Readable | undefined;
      } catch (error) {
        if (['NoSuchKey', 'NotFound'].includes((error as Error).name)) return undefined;
        throw error;
      }
    },
    async remove(name) {
      const { sdk, client } = await s3();
      await client.send(new sdk.DeleteObjectCommand(place(name)));
    },
  };
}
