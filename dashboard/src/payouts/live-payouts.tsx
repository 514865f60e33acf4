import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useLiveEvents } from '../live/live-events.tsx';

const EVENTS = ['payout.batch', 'resync'] as const;

/** The first part of the key of every query of items. */
export const ITEMS = 'payout-items';

/** Fetches batches and their payouts again when one has changed, and after an interruption of live events. */
export function LivePayouts() {
  const queries = useQueryClient();
  useLiveEvents(
    EVENTS,
    useCallback(() => {
      for (const name of ['payouts', ITEMS]) void queries.invalidateQueries({ queryKey: [name] });
    }, [queries]),
  );
  return null;
}
