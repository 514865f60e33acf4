/** Counts above this are cached for a minute. */
const LARGE = 100_000;
const CACHE_MS = 60_000;
const MAX_KEYS = 1_000;

interface Counted {
  total: number;
  /** Version of the counted data, if known: the count is valid as long as the version is the same. */
  version?: number;
}

/** Caches counts. `now` in milliseconds. */
export function createCountCache<Count extends Counted>() {
  const cache = new Map<string, { count: Count; at: number }>();

  return async function countOf(
    key: string,
    count: () => Promise<Count>,
    version?: number,
    now = Date.now(),
  ): Promise<Count> {
    const last = cache.get(key);
    const isSame = last?.count.version !== undefined && last.count.version === version;
    if (last && (isSame || (last.count.total > LARGE && now - last.at < CACHE_MS))) return last.count;
    const counted = await count();
    cache.delete(key);
    if (counted.version !== undefined || counted.total > LARGE) cache.set(key, { count: counted, at: now });
    const [oldest] = cache.keys();
    if (cache.size > MAX_KEYS && oldest !== undefined) cache.delete(oldest);
    return counted;
  };
}
