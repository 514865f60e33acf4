import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useAsk } from '../shared/queries/ask.ts';
import { useLiveEvents } from './live-events.tsx';

/** Polling interval for counts that no live event updates. */
export const EVERY_MS = 15_000;
/** The maximum number of rooms counted. */
export const ROOMS = 100;
const EVENTS = ['support.message', 'report.created', 'resync'] as const;

/** Counts of items that need attention; undefined until loaded. Polls every `everyMs`; `{}` only reads the cache. */
export function useWaiting(asking: { everyMs?: number } = { everyMs: EVERY_MS }) {
  const stats = useAsk(['stats'], (client) => client.GET('/api/admin/stats'), asking);
  const rooms = useAsk(
    ['waiting', 'rooms'],
    (client) => client.GET('/api/admin/rooms', { params: { query: { limit: ROOMS, unanswered: true } } }),
    asking,
  );
  const reports = useAsk(
    ['waiting', 'reports'],
    (client) => client.POST('/api/admin/reportsall', { body: { status: 'open', pageItems: 1 } }),
    asking,
  );
  const queryClient = useQueryClient();
  useLiveEvents(
    EVENTS,
    useCallback(() => void queryClient.invalidateQueries({ queryKey: ['waiting'] }), [queryClient]),
  );
  const byStatus = stats.data?.withdrawals.by_status;
  return {
    initiated: byStatus?.initiated,
    claimed: byStatus?.pending,
    rooms: rooms.data?.length,
    reports: reports.data?.total,
  };
}
