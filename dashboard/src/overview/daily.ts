import { useApiQuery } from '../shared/queries/api-query.ts';
import { span, type Period } from './period.ts';

const MINUTE_MS = 60_000;

function useSpan({ from, to }: { from: string; to: string }) {
  const call = { params: { query: { from, to } } };
  return useApiQuery(['stats', 'daily', from, to], (client) => client.GET('/api/admin/stats/daily', call), {
    everyMs: MINUTE_MS,
  });
}

/** The daily statistics of the period that ends today, and of the period before it. */
export function useDays(period: Period) {
  return { now: useSpan(span(period, 0)), before: useSpan(span(period, period)) };
}
