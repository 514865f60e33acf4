/** Statuses after which a repeat may succeed. */
const TEMPORARY = [429, 502, 503, 504];
export const isTemporary = ({ status }: Response) => TEMPORARY.includes(status);

/** The response's `Retry-After` in milliseconds; 0 without one. */
export const retryAfterMs = ({ headers }: Response) => Number(headers.get('retry-after') ?? 0) * 1_000 || 0;

const LONGEST_MS = 30_000;

/**
 * Milliseconds to wait; `failures` counts the failures before the last one. Doubled each time, with random jitter; up to
 * 30 s, or to the `firstMs` that the server asked for.
 */
export const backOffMs = (failures: number, firstMs: number) =>
  Math.min(firstMs * 2 ** failures, Math.max(LONGEST_MS, firstMs)) * (0.5 + Math.random() / 2);

/** Resolves after `ms`, or when the signal is aborted. */
export const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done);
  });
