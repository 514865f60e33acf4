import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';

/** Administrators' names by id. */
export function useStaff(): Map<number, string> {
  const provider = useDataProvider<ServerProvider>();
  const { data } = useQuery({
    queryKey: ['staff'],
    queryFn: () => provider.request((client) => client.GET('/api/admin/admins')),
    staleTime: 300_000,
  });
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}
