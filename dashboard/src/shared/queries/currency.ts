import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';

/** The system's currency, read from the newest payment. Undefined while loading, and while there is no payment. */
export function useCurrency(): string | undefined {
  const provider = useDataProvider<ServerProvider>();
  const newest = () => provider.request((client) => client.POST('/api/paymentsall', { body: { pageItems: 1 } }));
  const { data } = useQuery({ queryKey: ['currency'], queryFn: newest, staleTime: Infinity });
  return data?.data[0]?.currency;
}
