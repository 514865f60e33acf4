/**
 * Reads anew what is older than `freshMs`, once for all who ask meanwhile. A failure is theirs alone: who asks next reads
 * again.
 */
export function createFresh<Value>(read: () => Promise<Value>, freshMs: number): () => Promise<Value> {
  let known: { value: Promise<Value>; until: number } | undefined;
  return () => {
    if (known && performance.now() < known.until) return known.value;
    const reading = { value: read(), until: performance.now() + freshMs };
    known = reading;
    reading.value.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.value;
  };
}
