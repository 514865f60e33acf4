/** Reads of one link a minute, in each process. */
export const READS_A_MINUTE = 120;
const MINUTE_MS = 60_000;

/** Counts the reads of an owner's link. Returns undefined, or the seconds until it may be read again. */
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
/** Of an entry, besides its text. */
const ENTRY_BYTES = 1_024;

interface Entry {
  tag: string;
  text: Promise<Buffer>;
  bytes: number;
}

/**
 * The texts of calendars by key; of each the one with the latest tag. A text is written once for all who ask meanwhile.
 * Beyond `most` bytes the text that was read longest ago goes.
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
