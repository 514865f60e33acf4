import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { restart } from '../shared/queries/restart.ts';
import { useThrottled } from '../shared/queries/throttled.ts';
import { useLiveEvents } from './live-events.tsx';
import { WAITING, WAITING_PAYOUTS } from './waiting.ts';

const EVENTS = ['support.message', 'report.created', 'resync'] as const;
const PAYOUT_EVENTS = ['payout.batch'] as const;

/** Fetches the counts of items that need attention again when one may have changed. */
export function RefetchWaiting() {
  const queries = useQueryClient();
  useLiveEvents(
    EVENTS,
    useCallback(() => void restart(queries, WAITING), [queries]),
  );
  // A batch that the provider pays announces every payout.
  const refetchPayouts = useCallback(() => void restart(queries, WAITING_PAYOUTS), [queries]);
  useLiveEvents(PAYOUT_EVENTS, useThrottled(refetchPayouts));
  return null;
}
