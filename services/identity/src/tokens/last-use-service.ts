import type { Database } from '@tutoring/shared/database/open';
import { moreIf } from '@tutoring/shared/jobs';
import { markUsed } from './token-store.ts';

const USES_AT_ONCE = 1_000;

/** Last uses of tokens: noted at once, written many at a time. */
export function createLastUses({ database }: { database: Database }) {
  const used = new Set<number>();
  let writing: Promise<unknown> = Promise.resolve();

  async function writeNoted() {
    const ids = [...used].slice(0, USES_AT_ONCE);
    if (ids.length === 0) return undefined;
    for (const id of ids) used.delete(id);
    try {
      await database.autocommit((tx) => markUsed(tx, ids));
    } catch (error) {
      for (const id of ids) used.add(id);
      throw error;
    }
    return moreIf(used.size > 0);
  }

  return {
    note: (tokenId: number) => void used.add(tokenId),

    /** Job: writes what was noted, after whatever is being written at the moment. */
    write() {
      const written = writing.then(writeNoted);
      writing = written.catch(() => undefined);
      return written;
    },
  };
}

export type LastUses = ReturnType<typeof createLastUses>;
