import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useLogoutIfAccessDenied } from 'ra-core';
import type { Call, ServerProvider } from '../../data-provider.ts';
import type { PayloadOf } from '../../server/server.ts';

/**
 * Queries the API outside a resource: `useApiQuery(['stats'], (client) => client.GET('/api/admin/stats'))`. Queries
 * with the same key share one request and its result. Polls every `everyMs`, and fetches again when the window regains
 * focus.
 */
export function useApiQuery<Body>(key: unknown[], call: Call<Body>, { everyMs }: { everyMs?: number } = {}) {
  const provider = useDataProvider<ServerProvider>();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  return useQuery<PayloadOf<Body>>({
    queryKey: key,
    queryFn: async () => {
      try {
        return await provider.request(call);
      } catch (error) {
        await logoutIfAccessDenied(error);
        throw error;
      }
    },
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}
