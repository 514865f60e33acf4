/** Larger counts may be up to a minute old. */
const LARGE = 100_000;
const LARGE_FOR_MS = 60_000;
const MAX_KEYS = 1_000;

interface Counted {
  total: number;
  /** Of the data, where it is known: the count is exact while it is the same. */
  version?: number;
}

/** Keeps counts that need not be made again. `now` in milliseconds. */
export function createCounts<Count extends Counted>() {
  const known = new Map<string, { count: Count; at: number }>();

  return async function countOf(
    key: string,
    count: () => Promise<Count>,
    version?: number,
    now = Date.now(),
  ): Promise<Count> {
    const last = known.get(key);
    const isSame = last?.count.version !== undefined && last.count.version === version;
    if (last && (isSame || (last.count.total > LARGE && now - last.at < LARGE_FOR_MS))) return last.count;
    const counted = await count();
    known.delete(key);
    if (counted.version !== undefined || counted.total > LARGE) known.set(key, { count: counted, at: now });
    const [oldest] = known.keys();
    if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
    return counted;
  };
}
