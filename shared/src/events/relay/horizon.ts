import { column, type Reader } from '../../database/sql.ts';

/** A writer of the outbox takes this lock before it gets an id, and releases it after the commit is visible. */
const WRITERS = `
  select virtualtransaction as writer from pg_locks
  where relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Ids of the outbox are given in order but become visible in the order of commits. This finds the id up to which no
 * new row can appear, in this database, whatever other transactions do: rows below it need no second look.
 */
export function createHorizon(manager: Reader) {
  let seen = 0;
  let settled = 0;
  let awaited: { upTo: number; writers: string[] } | undefined;
  return {
    settled: () => settled,
    /** The newest id that has been given. */
    see: (id: number) => void (seen = Math.max(seen, id)),
    /** Lists the current writers: once all of them have ended, no row can appear up to the id that was known before. */
    async advance(): Promise<void> {
      if (!awaited && seen <= settled) return;
      const upTo = seen;
      const writers = await column<string>(manager, WRITERS);
      awaited ??= { upTo, writers };
      if (awaited.writers.some((writer) => writers.includes(writer))) return;
      settled = awaited.upTo;
      awaited = upTo > settled ? { upTo, writers } : undefined;
    },
  };
}
