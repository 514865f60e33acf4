import { COPY_MS } from '../deadlines.ts';
import type { Database } from './open.ts';
import { row } from './sql.ts';

/** Of 8 KiB, copied in one transaction: some thousand rows. */
const BLOCKS = 100;

/**
 * One step for a table that a migration has begun to partition, by one replica at a time; true when there is more. A
 * step that was cut is done again.
 */
export const copyIntoPartitions = (database: Database, blocks = BLOCKS): Promise<boolean> =>
  database.transact(
    async (tx) => (await row<{ left: boolean }>(tx, 'select copy_partitions($1) as left', [blocks]))?.left ?? false,
    { statementMs: COPY_MS },
  );
