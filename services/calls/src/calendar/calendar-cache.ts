/** Maximum of reads of one link per minute and process. */
export const READS_A_MINUTE = 120;
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
    return count > READS_A_MINUTE ? Math.ceil((until - at) / 1_000) : undefined;
  };
}

const MOST_BYTES = 32 * 2 ** 20;
/** Size of an entry, besides its text. */
const ENTRY_BYTES = 1_024;

interface Entry {
  tag: string;
  text: Promise<Buffer>;
  bytes: number;
}

/**
 * A least-recently-used cache of calendar texts, of at most `most` bytes. It keeps one text per key, that of the latest
 * tag. Concurrent requests for a text share one call of `write`.
 */
export function createCalendarTexts(most = MOST_BYTES) {
  const kept = new Map<string, Entry>();
  let bytes = 0;

  function drop(key: string): void {
    bytes -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  }

  function keep(key: string, entry: Entry): void {
    drop(key);
    kept.set(key, entry);
    bytes += entry.bytes;
    for (const oldest of kept.keys()) {
      if (bytes <= most) return;
      drop(oldest);
    }
  }

  return (key: string, tag: string, write: () => Promise<Buffer>): Promise<Buffer> => {
    const known = kept.get(key);
    if (known?.tag === tag) {
      keep(key, known);
      return known.text;
    }
    const entry: Entry = { tag, text: write(), bytes: ENTRY_BYTES };
    keep(key, entry);
    const isKept = () => kept.get(key) === entry;
    entry.text.then(
      ({ length }) => {
        if (isKept()) {
          drop(key);
          keep(key, { ...entry, bytes: ENTRY_BYTES + length });
        }
      },
      () => {
        if (isKept()) drop(key);
      },
    );
    return entry.text;
  };
}
