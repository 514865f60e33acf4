import type { Database, Reader, Tx } from '../database/open.ts';
import { column, exists, rows, sweep, value } from '../database/sql.ts';
import { AppError } from '../errors.ts';
import { moreIf, type Job } from '../jobs.ts';
import { FORM_BYTES, type Upload } from '../http/read/upload.ts';
import type { Files, Received } from './files.ts';
import { texts } from '../language/texts.ts';

/*
 * Every table of files has `key`, `state` (pending, visible, removed) and the time of its last change; the table
 * `upload_day` beside it counts what a person uploads.
 */

/** What one person may upload in one UTC day. */
const FILES_A_DAY = 200;
const BYTES_A_DAY = 500 * 1024 * 1024;
const TODAY = `(app_now() at time zone 'UTC')::date`;
const STEP = 100;
/** Of a form that does not say how long it is: a file of the usual limit. */
const UNDECLARED = 25 * 1024 * 1024;

const spent = async (reader: Reader) => {
  const retryAfter = await value<number>(
    reader,
    `select ceil(extract(epoch from (${TODAY} + 1)::timestamp - app_now() at time zone 'UTC'))::int`,
  );
  return new AppError('rate_limited', texts.tooManyAttempts, { retryAfter });
};

const takePlace = (tx: Tx, ownerId: number, bytes: number) =>
  value<string | undefined>(
    tx,
    `insert into upload_day as spent (day, owner_id, files, bytes)
     select ${TODAY}, $1::bigint, 1, $2::bigint where $2 <= ${BYTES_A_DAY}
     on conflict (day, owner_id) do update set files = spent.files + 1, bytes = spent.bytes + $2
       where spent.files < ${FILES_A_DAY} and spent.bytes + $2 <= ${BYTES_A_DAY}
     returning day::text`,
    [ownerId, bytes],
  );

/** Counts so many files and bytes more, or less; false when they are too many for the day. */
const countMore = (tx: Tx, more: { ownerId: number; day: string; files: number; bytes: number }) =>
  exists(
    tx,
    `update upload_day set files = files + $3, bytes = bytes + $4
     where owner_id = $1 and day = $2 and bytes + $4 <= ${BYTES_A_DAY} returning 1`,
    [more.ownerId, more.day, more.files, more.bytes],
  );

/**
 * `files.receive` within the owner's budget. An upload takes its place in the day before its body is read, so that nobody
 * fills the disk with uploads that never end, and keeps it once it has arrived, whatever becomes of it. Throws
 * rate_limited too.
 */
export function createCountedFiles({ database, files }: { database: Database; files: Files }) {
  return async function receive<T>(
    ownerId: number,
    upload: Upload,
    limit: number,
    use: (received: Received) => Promise<T>,
  ): Promise<T> {
    const bytes = Math.max(1, (upload.declared ?? UNDECLARED) - FORM_BYTES);
    const day = await database.autocommit((tx) => takePlace(tx, ownerId, bytes));
    if (day === undefined) throw await spent(database.manager);
    let isCounted = false;
    try {
      return await files.receive(upload, limit, async (received) => {
        isCounted = await database.autocommit((tx) =>
          countMore(tx, { ownerId, day, files: 0, bytes: received.size - bytes }),
        );
        if (!isCounted) throw await spent(database.manager);
        return use(received);
      });
    } finally {
      if (!isCounted) await database.autocommit((tx) => countMore(tx, { ownerId, day, files: -1, bytes: -bytes }));
    }
  };
}

/** Makes a pending file visible; false when the cleaning job has removed it as an orphan. */
export const markVisible = (tx: Tx, table: string, key: string) =>
  exists(
    tx,
    `update ${table} set state = 'visible', changed_at = app_now() where key = $1 and state = 'pending' returning 1`,
    [key],
  );

/** Files that are not needed any more, by SQL, the oldest by `age` first: those whose process died. */
const ORPHANS = { where: `state = 'pending' and changed_at < app_now() - interval '1 hour'`, age: 'changed_at' };
type Unused = typeof ORPHANS;

const markRemoved = (tx: Tx, table: string, { where, age }: Unused) =>
  rows(
    tx,
    `update ${table} set state = 'removed', changed_at = app_now() where key = any(array(
       select key from ${table} where ${where} order by ${age} limit ${STEP} for update skip locked))`,
  );

const removedKeys = (reader: Reader, table: string) =>
  column<string>(reader, `select key from ${table} where state = 'removed' order by changed_at limit ${STEP}`);

const forgetFiles = (tx: Tx, table: string, keys: string[]) =>
  rows(tx, `delete from ${table} where key = any($1) and state = 'removed'`, [keys]);

/**
 * Removes the files that are marked as removed, and marks orphans and what else is `unused`: from the store first, then
 * their rows, so that no file is forgotten.
 */
export const cleaningJob = (options: {
  name: string;
  table: string;
  database: Database;
  files: Files;
  unused?: Unused[];
}): Job => {
  const { name, table, database, files, unused = [] } = options;
  return {
    name,
    purpose: 'removes files that nothing refers to',
    everyMs: 60_000,
    run: async () => {
      for (const kind of [ORPHANS, ...unused]) await database.autocommit((tx) => markRemoved(tx, table, kind));
      const keys = await removedKeys(database.manager, table);
      const removals = await Promise.allSettled(keys.map((key) => files.remove(key)));
      const gone = keys.filter((_key, index) => removals[index]?.status === 'fulfilled');
      await database.autocommit((tx) => forgetFiles(tx, table, gone));
      await files.removeStaleDrafts();
      const isLeft = await sweep(database.manager, { table: 'upload_day', age: 'day', where: `day < ${TODAY} - 1` });
      // One file that cannot be removed keeps nothing else; the job fails for it after the rest is done.
      const failed = removals.find((removal) => removal.status === 'rejected');
      if (failed) throw failed.reason;
      return moreIf(isLeft || keys.length === STEP);
    },
  };
};
