import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLiveEvents } from './live-events.tsx';
import { useWaiting } from './waiting.ts';

const EVENTS = ['resync'] as const;

/** Calls `onNews` when a resource's number of items that need attention changes, and when live events were missed. */
export function useNews(resource: string | undefined, onNews: () => unknown): void {
  // No polling here: the navigation already polls.
  const { initiated, claimed, reports } = useWaiting({});
  const counts: Record<string, unknown[]> = { withdrawals: [initiated, claimed], reports: [reports] };
  const told = resource !== undefined && Object.hasOwn(counts, resource) ? counts[resource] : undefined;
  // Undefined until every count is loaded.
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
