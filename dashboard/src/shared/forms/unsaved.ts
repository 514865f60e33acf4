import { useEffect, useEffectEvent } from 'react';

const checks = new Set<() => boolean>();

/** Whether a reload would lose unsaved input. */
export const hasUnsaved = () => [...checks].some((isUnsaved) => isUnsaved());

/** While mounted, `isUnsaved` tells whether a reload would lose something of this component. */
export function useUnsaved(isUnsaved: () => boolean): void {
  const check = useEffectEvent(isUnsaved);
  useEffect(() => {
    const listener = () => check();
    checks.add(listener);
    return () => void checks.delete(listener);
  }, []);
}
