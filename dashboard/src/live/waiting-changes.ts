import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLiveEvents } from './live-events.tsx';
import { useWaiting } from './waiting.ts';

const EVENTS = ['resync'] as const;

/** Calls `onChange` when a resource's number of items that need attention changes, and when live events were missed. */
export function useWaitingChanges(resource: string | undefined, onChange: () => unknown): void {
  // No polling here: the navigation already polls.
  const { initiated, claimed, disputes, refunds, breaks, reports } = useWaiting({});
  const counts: Record<string, unknown[]> = {
    withdrawals: [initiated, claimed],
    disputes: [disputes],
    refunds: [refunds],
    breaks: [breaks],
    reports: [reports],
  };
  const ownCounts = resource !== undefined && Object.hasOwn(counts, resource) ? counts[resource] : undefined;
  // Undefined until every count is loaded.
  const now = ownCounts === undefined || ownCounts.includes(undefined) ? undefined : ownCounts.join();
  const last = useRef(now);
  const notify = useEffectEvent(onChange);
  useEffect(() => {
    if (now === undefined) return;
    const isChanged = last.current !== undefined && last.current !== now;
    last.current = now;
    if (isChanged) notify();
  }, [now]);
  useLiveEvents(
    EVENTS,
    useCallback(() => void notify(), []),
  );
}
