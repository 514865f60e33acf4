import type { Database, Reader, Tx } from '../database/open.ts';
import { row, rows, sweep } from '../database/sql.ts';
import { AppError } from '../errors.ts';
import { moreIf, type Job } from '../jobs.ts';
import { FORM_BYTES, type Upload } from '../http/upload.ts';
import type { Files } from './files.ts';
import { texts } from '../texts.ts';

/*
 * Every table of files has `key`, `state` (pending, visible, removed) and the time of its last change; the table
 * `upload_day` beside it counts what a person uploads.
 */

/** What one person may upload in one UTC day. */
const FILES_A_DAY = 200;
const BYTES_A_DAY = 500 * 1024 * 1024;
const TODAY = `(app_now() at time zone 'UTC')::date`;
const LEFT = `files < ${FILES_A_DAY} and bytes + $2 <= ${BYTES_A_DAY}`;
const STEP = 100;
/** Of a form that does not say how long it is: a file of the usual limit. */
const UNDECLARED = 25 * 1024 * 1024;

const spent = async (reader: Reader) => {
  const rest = await row<{ seconds: number }>(
    reader,
    `select ceil(extract(epoch from (${TODAY} + 1)::timestamp - app_now() at time zone 'UTC'))::int as seconds`,
  );
  return new AppError('rate_limited', texts.tooManyAttempts, { retryAfter: rest?.seconds ?? 1 });
};

/**
 * What people upload at the moment, in this process. It counts against the day's budget from the start, so that nobody fills
 * the disk with uploads that never end.
 */
export function createUploadBudget({ manager }: { manager: Reader }) {
  const underWay = new Map<number, { files: number; bytes: number }>();
  return {
    /** Call before reading the body, and the result when it is counted or has ended. Throws rate_limited. */
    async reserve(ownerId: number, { declared }: Upload): Promise<() => void> {
      const own = underWay.get(ownerId) ?? { files: 0, bytes: 0 };
      const bytes = Math.max(1, (declared ?? UNDECLARED) - FORM_BYTES);
      underWay.set(ownerId, { files: own.files + 1, bytes: own.bytes + bytes });
      let isReserved = true;
      const release = () => {
        const now = underWay.get(ownerId);
        if (!isReserved || !now) return;
        isReserved = false;
        if (now.files === 1) underWay.delete(ownerId);
        else underWay.set(ownerId, { files: now.files - 1, bytes: now.bytes - bytes });
      };
      try {
        const exceeds = `select from upload_day where owner_id = $1 and day = ${TODAY} and not (files + $3 < ${FILES_A_DAY} and bytes + $2 <= ${BYTES_A_DAY})`;
        const isAlone = own.files < FILES_A_DAY && own.bytes + bytes <= BYTES_A_DAY;
        if (!isAlone || (await row(manager, exceeds, [ownerId, own.bytes + bytes, own.files])))
          throw await spent(manager);
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

/** Counts a received file, whatever happens to it later. Throws rate_limited when it exceeds the day's budget. */
export async function countUpload(tx: Tx, ownerId: number, bytes: number): Promise<void> {
  await rows(
    tx,
    `insert into upload_day (day, owner_id, files, bytes) values (${TODAY}, $1, 0, 0) on conflict do nothing`,
    [ownerId],
  );
  const counted = await row(
    tx,
    `update upload_day set files = files + 1, bytes = bytes + $2
     where owner_id = $1 and day = ${TODAY} and ${LEFT} returning 1`,
    [ownerId, bytes],
  );
  if (!counted) throw await spent(tx);
}

/** Makes a pending file visible; false when the cleaning job has removed it as an orphan. */
export const markVisible = async (tx: Tx, table: string, key: string) =>
  (await row(
    tx,
    `update ${table} set state = 'visible', changed_at = app_now() where key = $1 and state = 'pending' returning 1`,
    [key],
  )) !== undefined;

/** Files to remove: those marked as removed, and pending ones whose process died. */
const markOrphans = (tx: Tx, table: string) =>
  rows(
    tx,
    `update ${table} set state = 'removed', changed_at = app_now() where key = any(array(
       select key from ${table} where state = 'pending' and changed_at < app_now() - interval '1 hour'
       order by changed_at limit ${STEP} for update skip locked))`,
  );

const removedKeys = async (reader: Reader, table: string) =>
  (
    await rows<{ key: string }>(
      reader,
      `select key from ${table} where state = 'removed' order by changed_at limit ${STEP}`,
    )
  ).map(({ key }) => key);

const forgetFiles = (tx: Tx, table: string, keys: string[]) =>
  rows(tx, `delete from ${table} where key = any($1) and state = 'removed'`, [keys]);

/**
 * Removes unused files: from the store first, then their rows, so that no file is forgotten. `mark` marks more of them.
 */
export const cleaningJob = (options: {
  name: string;
  table: string;
  database: Database;
  files: Files;
  mark?: (tx: Tx) => Promise<unknown>;
}): Job => {
  const { name, table, database, files, mark } = options;
  return {
    name,
    everyMs: 60_000,
    run: async () => {
      await database.autocommit((tx) => markOrphans(tx, table));
      if (mark) await database.autocommit(mark);
      const keys = await removedKeys(database.manager, table);
      const removals = await Promise.allSettled(keys.map((key) => files.remove(key)));
      const gone = keys.filter((_key, index) => removals[index]?.status === 'fulfilled');
      await database.autocommit((tx) => forgetFiles(tx, table, gone));
      await files.removeStaleDrafts();
      const isLeft = await sweep(database.manager, {
        table: 'upload_day',
        age: 'day',
        where: `day < ${TODAY} - 1`,
      });
      // One file that cannot be removed keeps nothing else; the job fails for it after the rest is done.
      const failed = removals.find((removal) => removal.status === 'rejected');
      if (failed) throw failed.reason;
      return moreIf(isLeft || keys.length === STEP);
    },
  };
};
