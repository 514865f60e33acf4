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

/** A least-recently-used cache whose values have a total size of at most `limit`. A larger value is not kept. */
export function createLru<Value>(limit: number, sizeOf: (value: Value) => number) {
  const values = new Map<string, Value>();
  let size = 0;

  function drop(key: string): void {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) size -= sizeOf(value);
  }

  return {
    get(key: string): Value | undefined {
      const value = values.get(key);
      if (value !== undefined && values.delete(key)) values.set(key, value);
      return value;
    },
    set(key: string, value: Value): void {
      drop(key);
      values.set(key, value);
      size += sizeOf(value);
      for (const oldest of values.keys()) {
        if (size <= limit) return;
        drop(oldest);
      }
    },
    drop,
    size: () => size,
  };
}
