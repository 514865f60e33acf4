import type { QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Fetches queries again after a change. A response on its way may be older than the change, and an invalidation does
 * not repeat the first fetch of a query.
 */
export async function restart(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}
