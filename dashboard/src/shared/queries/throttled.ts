import { useEffect, useMemo } from 'react';

const EVERY_MS = 2_000;

/**
 * Calls `call` at once, and then at most every `everyMs`. What is asked for in between is one call at the end of that
 * time, so that the last change is never missed; `flush` makes that call now.
 */
export function throttled(call: () => void, everyMs = EVERY_MS) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isWanted) callNow();
  };
  const callNow = () => {
    isWanted = false;
    timer = setTimeout(flush, everyMs);
    call();
  };
  const ask = () => {
    isWanted = true;
    if (timer === undefined) callNow();
  };
  return { ask, flush };
}

/** The function, called at most every two seconds. It must be stable between renders (`useCallback`). */
export function useThrottled(call: () => void): () => void {
  const { ask, flush } = useMemo(() => throttled(call), [call]);
  useEffect(() => flush, [flush]);
  return ask;
}
