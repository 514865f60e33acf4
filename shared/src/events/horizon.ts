import type { Reader } from '../database/open.ts';
import { rows } from '../database/sql.ts';

/** Who writes to the outbox takes this lock before an id, and gives it back after the commit is visible. */
const WRITERS = `
  select virtualtransaction as writer from pg_locks
  where relation = 'outbox'::regclass and mode = 'RowExclusiveLock'
    and database = (select oid from pg_database where datname = current_database())`;

/**
 * Ids of the outbox are given in order but become visible in the order of commits. This tells up to which id none can
 * appear any more, in this database and whatever others are doing: what is below needs no second look.
 */
export function createHorizon(manager: Reader) {
  let seen = 0;
  let settled = 0;
  let awaited: { upTo: number; writers: string[] } | undefined;
  return {
    settled: () => settled,
    /** This id has been given. */
    see: (id: number) => void (seen = Math.max(seen, id)),
    /** Asks who is writing: once all who were when an id was known have ended, nothing can appear up to there. */
    async advance(): Promise<void> {
      if (!awaited && seen <= settled) return;
      const upTo = seen;
      const writers = (await rows<{ writer: string }>(manager, WRITERS)).map(({ writer }) => writer);
      awaited ??= { upTo, writers };
      if (awaited.writers.some((writer) => writers.includes(writer))) return;
      settled = awaited.upTo;
      awaited = upTo > settled ? { upTo, writers } : undefined;
    },
  };
}
