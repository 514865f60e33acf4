import { COMPARE_MS } from '../deadlines.ts';
import type { Database, Reader } from './open.ts';
import { row, rows } from './sql.ts';

/** What one statement does of a longer work: far below what fits into its time. */
const REMOVED_AT_ONCE = 2_000;
const BLOCKS_AT_ONCE = 100;

/**
 * One step for each table that is partitioned by time: makes its next partitions, removes what is over. Returns, for
 * each, whether there is more to remove.
 */
export async function keepPartitions(manager: Reader): Promise<boolean[]> {
  const tables = await rows<{ name: string }>(
    manager,
    'select table_name as name from partitioning where unit is not null',
  );
  const left: boolean[] = [];
  for (const { name } of tables) {
    await rows(manager, 'select partition_ahead($1)', [name]);
    const cleaned = await row<{ left: boolean }>(manager, 'select partition_clean($1, $2) as left', [
      name,
      REMOVED_AT_ONCE,
    ]);
    left.push(cleaned?.left ?? false);
  }
  return left;
}

/** One step for a table whose rows are being copied into partitions, by one replica at a time. Returns whether there is more. */
export function copyIntoPartitions(database: Database, blocks = BLOCKS_AT_ONCE): Promise<boolean> {
  return database.transact(
    async (tx) => {
      const copied = await row<{ left: boolean }>(
        tx,
        'select partition_copy(table_name, $1) as left from partitioning where blocks is not null limit 1',
        [blocks],
      );
      return copied?.left ?? false;
    },
    { statementMs: COMPARE_MS },
  );
}
