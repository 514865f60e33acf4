import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEvents } from '../live/live-events.tsx';
import { restart } from '../shared/queries/restart.ts';
import { useThrottled } from '../shared/queries/throttled.ts';

const EVENTS = ['payout.batch', 'resync'] as const;

/** The first part of the key of every query of items. */
export const ITEMS = 'payout-items';

/** Fetches batches and their payouts again when one has changed, and after an interruption of live events. */
export function LivePayouts() {
  const queries = useQueryClient();
  const refetch = useCallback(() => {
    for (const name of ['payouts', ITEMS]) void restart(queries, [name]);
  }, [queries]);
  // A batch that the provider pays announces every payout.
  useLiveEvents(EVENTS, useThrottled(refetch));
  return null;
}
