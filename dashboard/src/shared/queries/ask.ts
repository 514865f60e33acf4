import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useLogoutIfAccessDenied } from 'ra-core';
import type { Call, ServerProvider } from '../../data-provider.ts';
import type { PayloadOf } from '../../server/server.ts';

/**
 * What no resource has, by a call of the typed client: `useAsk(['stats'], (client) => client.GET('/api/admin/stats'))`.
 * The key names the answer: the same key is asked once. Asked again every `everyMs`, and when the window is shown again.
 */
export function useAsk<Body>(key: unknown[], call: Call<Body>, { everyMs }: { everyMs?: number } = {}) {
  const provider = useDataProvider<ServerProvider>();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  return useQuery<PayloadOf<Body>>({
    queryKey: key,
    queryFn: async () => {
      try {
        return await provider.ask(call);
      } catch (error) {
        await logoutIfAccessDenied(error);
        throw error;
      }
    },
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}
