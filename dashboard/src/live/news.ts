import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLiveEvents } from './live-events.tsx';
import { useWaiting } from './waiting.ts';

const EVENTS = ['resync'] as const;

/** Calls `onNews` when others have changed what is waiting of a resource, and when live events were missed. */
export function useNews(resource: string | undefined, onNews: () => unknown): void {
  // The navigation asks.
  const { initiated, claimed, reports } = useWaiting({});
  const counts: Record<string, unknown[]> = { withdrawals: [initiated, claimed], reports: [reports] };
  const told = resource !== undefined && Object.hasOwn(counts, resource) ? counts[resource] : undefined;
  // Until every number is known there is nothing to compare with.
  const now = told === undefined || told.includes(undefined) ? undefined : told.join();
  const last = useRef(now);
  const tell = useEffectEvent(onNews);
  useEffect(() => {
    if (now === undefined) return;
    const isNews = last.current !== undefined && last.current !== now;
    last.current = now;
    if (isNews) tell();
  }, [now]);
  useLiveEvents(
    EVENTS,
    useCallback(() => void tell(), []),
  );
}
