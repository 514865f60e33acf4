interface Counted {
  total: number;
  version: number;
  at: number;
}

const MAX_KEYS = 5_000;
/** Larger counts may be up to a minute old. */
const LARGE = 100_000;
const LARGE_FOR_MS = 60_000;

/**
 * Caches counts by the version of the data: a cached count is exact while the version is the same. `now` in
 * milliseconds.
 */
export function createTotals() {
  const known = new Map<string, Counted>();

  return async function totalOf(
    key: string,
    version: number,
    count: () => Promise<{ total: number; version: number }>,
    now = Date.now(),
  ): Promise<number> {
    const last = known.get(key);
    const current = last?.version === version || (last && last.total > LARGE && now - last.at < LARGE_FOR_MS);
    const remembered = last && current ? last : { ...(await count()), at: now };
    known.delete(key);
    known.set(key, remembered);
    const oldest = known.keys().next();
    if (known.size > MAX_KEYS && !oldest.done) known.delete(oldest.value);
    return remembered.total;
  };
}
