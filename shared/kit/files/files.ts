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

/** A complete file on the local disk that is not visible yet. */
export interface Draft {
  path: string;
  size: number;
}

/** An uploaded file, with the client's name for it. */
export type Received = Draft & { name: string };

/** Write buffer of an upload: large enough for few writes, small enough for little memory. */
const WRITE_BYTES = 256 * 1024;
/** Longer than any upload takes: the process of an older draft has died. */
const DRAFT_HOURS = 1;

const unavailable = (message: () => string) => (error: unknown) => {
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', message(), { cause: error, retryAfter: 5 });
};
const notStored = unavailable(() => texts.upload.notStored);
const notRead = unavailable(() => texts.upload.notRead);

const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOENT', 'EACCES']);
/** Throws unavailable for a disk error, and rethrows other errors, such as those of a client that disconnects. */
const rethrowDiskError = (error: unknown) => {
  if (DISK_ERRORS.has((error as NodeJS.ErrnoException).code ?? '')) notStored(error);
  throw error;
};

/** 192 random bits, because a key is the only protection of its file. */
export const newKey = () => randomBytes(24).toString('base64url');
export const KEY = /^[\w-]{32}$/;

/**
 * The files of one kind. A file is stored in steps: its bytes are written to a draft on the local disk, the caller
 * records the key as pending, `store` moves the draft to the store, and the caller makes the key visible. A crash in
 * between leaves a draft or a pending key, which the cleaning job removes.
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

  const outage = createOutage(logger, { server: 'the file store' });
  async function reporting<T>(work: Promise<T>): Promise<T> {
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
    await pipeline(bytes, file).catch(rethrowDiskError);
    return file.bytesWritten;
  }

  /** Calls `use` with a path for a draft, and removes the draft afterwards unless it was stored. */
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

    /** Writes the uploaded file to a draft that exists during `use`. Throws the errors of `Upload`, and unavailable. */
    receive: <T>(upload: Upload, limit: number, use: (received: Received) => Promise<T>): Promise<T> =>
      draft(async (path) => {
        const name = await upload(limit, (bytes) => write(path, bytes));
        return use({ path, name, size: (await stat(path)).size });
      }),

    /** Moves a draft to the store under the key. Throws unavailable. */
    store: (key: string, path: string): Promise<void> => reporting(store.put(key, path)).catch(notStored),
    /** Undefined when there is no such file. Throws unavailable. */
    open: (key: string, range?: ByteRange) => reporting(store.open(key, range)).catch(notRead),
    remove: (key: string) => reporting(store.remove(key)),

    /** Removes drafts of processes that have died. */
    async removeStaleDrafts(): Promise<void> {
      for await (const name of glob('*', { cwd: drafts })) {
        const path = join(drafts, name);
        const found = await stat(path).catch(() => undefined);
        if (found && Date.now() - found.mtimeMs > DRAFT_HOURS * 3_600_000) await rm(path, { force: true });
      }
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
