import { useEffect, useEffectEvent } from 'react';

const checks = new Set<() => boolean>();

/** Whether a reload would lose something that somebody has begun. */
export const hasUnsaved = () => [...checks].some((isUnsaved) => isUnsaved());

/** Counts what is written or shown here among what a reload would lose, while `isUnsaved` says so. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const check = useEffectEvent(isUnsaved);
  useEffect(() => {
    const own = () => check();
    checks.add(own);
    return () => void checks.delete(own);
  }, []);
}
