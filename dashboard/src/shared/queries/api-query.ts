import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDataProvider, useLogoutIfAccessDenied } from 'ra-core';
import type { Call, ServerProvider } from '../../data-provider.ts';
import { operationOf } from '../../data/rights.ts';
import type { PayloadOf } from '../../server/server.ts';
import { useRights } from './rights.ts';

interface Options {
  everyMs?: number;
  /** False sends nothing. */
  isNeeded?: boolean;
  /** Keeps the data of the key before until those of a new key are there. */
  keepsPrevious?: boolean;
  /** Does not fetch again by itself while it is shown. */
  isStill?: boolean;
}

/**
 * Queries the API outside a resource: `useApiQuery(['stats'], (client) => client.GET('/api/admin/stats'))`. Queries
 * with the same key share one request and its result. Polls every `everyMs`, and fetches again when the window regains
 * focus. Nothing is sent without the right.
 */
export function useApiQuery<Body>(
  key: unknown[],
  call: Call<Body>,
  { everyMs, isNeeded = true, keepsPrevious = false, isStill = false }: Options = {},
) {
  const provider = useDataProvider<ServerProvider>();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  const { can } = useRights();
  return useQuery<PayloadOf<Body>>({
    queryKey: key,
    enabled: isNeeded && can(operationOf(call)),
    queryFn: async () => {
      try {
        return await provider.request(call);
      } catch (error) {
        await logoutIfAccessDenied(error);
        throw error;
      }
    },
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    ...(isStill && { refetchOnWindowFocus: false, refetchOnReconnect: false }),
  });
}
