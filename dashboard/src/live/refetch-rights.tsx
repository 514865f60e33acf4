import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { RIGHTS } from '../shared/queries/rights.ts';
import { useLiveEvents } from './live-events.tsx';

const EVENTS = ['resync'] as const;

/** Fetches the own rights again when the stream of live events was opened again: the server closes it when they change. */
export function RefetchRights() {
  const queries = useQueryClient();
  useLiveEvents(
    EVENTS,
    useCallback(() => void queries.invalidateQueries({ queryKey: RIGHTS }), [queries]),
  );
  return null;
}
