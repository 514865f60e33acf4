import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';

/** The currency of this system: every payment names it. Undefined while it is unknown. */
export function useCurrency(): string | undefined {
  const provider = useDataProvider<ServerProvider>();
  const newest = () => provider.ask((client) => client.POST('/api/paymentsall', { body: { pageItems: 1 } }));
  const { data } = useQuery({ queryKey: ['currency'], queryFn: newest, staleTime: Infinity });
  return data?.data[0]?.currency;
}
