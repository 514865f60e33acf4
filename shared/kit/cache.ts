/**
 * Caches a value for `ttlMs` milliseconds. Concurrent callers share one read. Errors are not cached: the next call
 * reads again.
 */
export function createCache<Value>(read: () => Promise<Value>, ttlMs: number): () => Promise<Value> {
  let cached: { value: Promise<Value>; until: number } | undefined;
  return () => {
    if (cached && performance.now() < cached.until) return cached.value;
    const reading = { value: read(), until: performance.now() + ttlMs };
    cached = reading;
    reading.value.catch(() => {
      if (cached === reading) cached = undefined;
    });
    return reading.value;
  };
}
