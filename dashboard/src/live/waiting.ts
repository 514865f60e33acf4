import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useAsk } from '../shared/queries/ask.ts';
import { useLiveEvents } from './live-events.tsx';

/** What waits is asked again this often; live events come at once. */
export const EVERY_MS = 15_000;
/** Of more rooms it says that they are more. */
export const ROOMS = 100;
const EVENTS = ['support.message', 'report.created', 'resync'] as const;

/** How many wait for somebody of the team; undefined while it is not known. Asked again as often as `asking` says. */
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
