import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';
import { useRights } from './rights.ts';

/**
 * The system's currency, read from the newest payment. Undefined while loading, while there is no payment, and without
 * the right to read payments.
 */
export function useCurrency(): string | undefined {
  const provider = useDataProvider<ServerProvider>();
  const { can } = useRights();
  const newest = () => provider.request((client) => client.POST('/api/paymentsall', { body: { pageItems: 1 } }));
  const { data } = useQuery({
    queryKey: ['currency'],
    queryFn: newest,
    staleTime: Infinity,
    enabled: can('POST /api/paymentsall'),
  });
  return data?.data[0]?.currency;
}
