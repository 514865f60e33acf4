import type { Database, Reader, Tx } from '../database/open.ts';
import { column, exists, rows, sweep, value } from '../database/sql.ts';
import { AppError } from '../errors.ts';
import { moreIf, type Job } from '../jobs.ts';
import { FORM_BYTES, type Upload } from '../http/read/upload.ts';
import type { Files, Received } from './files.ts';
import { texts } from '../language/texts.ts';

/*
 * Every table of files has the columns `key`, `state` (pending, visible, removed) and `changed_at`. The table
 * `upload_day` counts the uploads of a user.
 */

/** Upload limits of a user per UTC day. */
const FILES_A_DAY = 200;
const BYTES_A_DAY = 500 * 1024 * 1024;
const TODAY = `(app_now() at time zone 'UTC')::date`;
const STEP = 100;
/** Assumed size of a form without Content-Length: the usual limit of a file. */
const UNDECLARED = 25 * 1024 * 1024;

const budgetSpent = async (reader: Reader) => {
  const retryAfter = await value<number>(
    reader,
    `select ceil(extract(epoch from (${TODAY} + 1)::timestamp - app_now() at time zone 'UTC'))::int`,
  );
  return new AppError('rate_limited', texts.tooManyAttempts, { retryAfter });
};

const reserveUpload = (tx: Tx, ownerId: number, bytes: number) =>
  value<string | undefined>(
    tx,
    `insert into upload_day as spent (day, owner_id, files, bytes)
     select ${TODAY}, $1::bigint, 1, $2::bigint where $2 <= ${BYTES_A_DAY}
     on conflict (day, owner_id) do update set files = spent.files + 1, bytes = spent.bytes + $2
       where spent.files < ${FILES_A_DAY} and spent.bytes + $2 <= ${BYTES_A_DAY}
     returning day::text`,
    [ownerId, bytes],
  );

/** Adjusts the counts of a day by these files and bytes; false when the limit is exceeded. */
const adjustCounts = (tx: Tx, more: { ownerId: number; day: string; files: number; bytes: number }) =>
  exists(
    tx,
    `update upload_day set files = files + $3, bytes = bytes + $4
     where owner_id = $1 and day = $2 and bytes + $4 <= ${BYTES_A_DAY} returning 1`,
    [more.ownerId, more.day, more.files, more.bytes],
  );

/**
 * `files.receive` within the owner's daily budget. An upload is counted before its body is read, so that endless
 * uploads cannot fill the disk. Once received it stays counted, whether it is used or not. Also throws rate_limited.
 */
export function createCountedFiles({ database, files }: { database: Database; files: Files }) {
  return async function receive<T>(
    ownerId: number,
    upload: Upload,
    limit: number,
    use: (received: Received) => Promise<T>,
  ): Promise<T> {
    const bytes = Math.max(1, (upload.declared ?? UNDECLARED) - FORM_BYTES);
    const day = await database.autocommit((tx) => reserveUpload(tx, ownerId, bytes));
    if (day === undefined) throw await budgetSpent(database.manager);
    let isCounted = false;
    try {
      return await files.receive(upload, limit, async (received) => {
        isCounted = await database.autocommit((tx) =>
          adjustCounts(tx, { ownerId, day, files: 0, bytes: received.size - bytes }),
        );
        if (!isCounted) throw await budgetSpent(database.manager);
        return use(received);
      });
    } finally {
      if (!isCounted) await database.autocommit((tx) => adjustCounts(tx, { ownerId, day, files: -1, bytes: -bytes }));
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

/** Unused files, as SQL conditions; the oldest by `age` are removed first. Orphans: the uploading process has died. */
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
 * Marks orphans and `unused` files as removed, and deletes the files that are marked: first from the store, then their
 * rows, so that no file is left in the store without a row.
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
      // A file that cannot be removed makes the job fail only after all others are done.
      const failed = removals.find((removal) => removal.status === 'rejected');
      if (failed) throw failed.reason;
      return moreIf(isLeft || keys.length === STEP);
    },
  };
};
