import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { glob, mkdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import type { ByteRange } from '../http/serve/download.ts';
import type { Upload } from '../http/read/upload.ts';
import { createOutage, type Logger } from '../process/logger.ts';
import type { FilesConfig } from './config.ts';
import { createFolderStore, createS3Store, type FileStore } from './store.ts';
import { texts } from '../language/texts.ts';

/** A complete file on the local disk that nobody can see yet. */
export interface Draft {
  path: string;
  size: number;
}

/** An uploaded file, under the name that its client gave it. */
export type Received = Draft & { name: string };

/** How far an upload may be ahead of the disk: few, large writes, and little memory. */
const WRITE_BYTES = 256 * 1024;
/** Longer than any upload lasts: the process of an older draft has died. */
const DRAFT_HOURS = 1;

const unavailable = (message: () => string) => (error: unknown) => {
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', message(), { cause: error, retryAfter: 5 });
};
const notStored = unavailable(() => texts.upload.notStored);
const notRead = unavailable(() => texts.upload.notRead);

const onDisk = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES']);
/** Distinguishes a disk error from a client that disconnects. */
const ifDiskFails = (error: unknown) => {
  if (onDisk.has((error as NodeJS.ErrnoException).code ?? '')) notStored(error);
  throw error;
};

/** 192 random bits: a key is the only protection of its file. */
export const newKey = () => randomBytes(24).toString('base64url');
export const KEY = /^[\w-]{32}$/;

/**
 * The files of one kind. A file is stored in steps: its bytes go to a draft on the local disk, the caller records the
 * key as pending, `store` moves the draft to the store, and the caller makes the key visible. A crash between two steps
 * leaves a draft or a pending key; the cleaning job finds both.
 */
export function createFiles(config: FilesConfig, kind: string, logger: Logger) {
  const { FILES_URL: at, FILES_ACCESS_KEY_ID: id, FILES_SECRET_ACCESS_KEY: secret } = config;
  const drafts = at.kind === 'file' ? join(at.folder, kind, '.drafts') : join(tmpdir(), 'tutoring-drafts', kind);
  const store: FileStore =
    at.kind === 'file'
      ? createFolderStore(join(at.folder, kind))
      : createS3Store(
          { ...at, prefix: `${at.prefix}${kind}/` },
          id !== undefined && secret !== undefined ? { accessKeyId: id, secretAccessKey: secret } : undefined,
        );

  const outage = createOutage(logger, { server: 'the store of files' });
  async function told<T>(work: Promise<T>): Promise<T> {
    try {
      const done = await work;
      outage.recovered();
      return done;
    } catch (error) {
      outage.failed(error);
      throw error;
    }
  }

  async function write(path: string, bytes: Readable): Promise<number> {
    const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true, highWaterMark: WRITE_BYTES });
    await pipeline(bytes, file).catch(ifDiskFails);
    return file.bytesWritten;
  }

  /** A path for a draft, which is removed after `use` unless it was stored. */
  async function draft<T>(use: (path: string) => Promise<T>): Promise<T> {
    const path = join(drafts, newKey());
    await mkdir(drafts, { recursive: true }).catch(notStored);
    try {
      return await use(path);
    } finally {
      await rm(path, { force: true });
    }
  }

  return {
    draft,

    /** Writes the uploaded file to a draft for the time of `use`. Throws what `Upload` throws, and unavailable. */
    receive: <T>(upload: Upload, limit: number, use: (received: Received) => Promise<T>): Promise<T> =>
      draft(async (path) => {
        const name = await upload(limit, (bytes) => write(path, bytes));
        return use({ path, name, size: (await stat(path)).size });
      }),

    /** Moves a draft to the store under the key. Throws unavailable. */
    store: (key: string, path: string): Promise<void> => told(store.put(key, path)).catch(notStored),
    /** Undefined when there is none. Throws unavailable. */
    open: (key: string, range?: ByteRange) => told(store.open(key, range)).catch(notRead),
    remove: (key: string) => told(store.remove(key)),

    /** Removes drafts whose process died. */
    async removeStaleDrafts(now = Date.now()): Promise<void> {
      for await (const name of glob('*', { cwd: drafts })) {
        const path = join(drafts, name);
        const found = await stat(path).catch(() => undefined);
        if (found && now - found.mtimeMs > DRAFT_HOURS * 3_600_000) await rm(path, { force: true });
      }
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
