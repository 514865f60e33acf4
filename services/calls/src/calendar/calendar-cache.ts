import { createLru } from '@tutoring/shared/kit/cache';

/** Maximum of reads of one link per minute and process. */
export const MAX_READS_PER_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Counts the reads of each owner's link. Returns the seconds until the next read is allowed, or undefined. */
export function createReadLimit(now: () => number = () => performance.now()) {
  let reads = new Map<number, number>();
  let until = 0;
  return (owner: number): number | undefined => {
    const at = now();
    if (at >= until) {
      reads = new Map();
      until = at + MINUTE_MS;
    }
    const count = (reads.get(owner) ?? 0) + 1;
    reads.set(owner, count);
    return count > MAX_READS_PER_MINUTE ? Math.ceil((until - at) / 1_000) : undefined;
  };
}

const MAX_BYTES = 32 * 2 ** 20;
/** Size of an entry, besides its text. */
const ENTRY_BYTES = 1_024;

interface Entry {
  tag: string;
  text: Promise<Buffer>;
  bytes: number;
}

/**
 * A cache of calendar texts, of at most `maxBytes` bytes. It keeps one text per key, that of the latest tag. Concurrent
 * requests for a text share one call of `write`.
 */
export function createCalendarCache(maxBytes = MAX_BYTES) {
  const entries = createLru<Entry>(maxBytes, ({ bytes }) => bytes);

  return (key: string, tag: string, write: () => Promise<Buffer>): Promise<Buffer> => {
    const cached = entries.get(key);
    if (cached?.tag === tag) return cached.text;
    const entry: Entry = { tag, text: write(), bytes: ENTRY_BYTES };
    entries.set(key, entry);
    const isCurrent = () => entries.get(key) === entry;
    entry.text.then(
      ({ length }) => void (isCurrent() && entries.set(key, { ...entry, bytes: ENTRY_BYTES + length })),
      () => void (isCurrent() && entries.drop(key)),
    );
    return entry.text;
  };
}
