import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../../data-provider.ts';
import { Refusal } from '../../server/server.ts';

function useAdministrators() {
  const provider = useDataProvider<ServerProvider>();
  return useQuery({
    queryKey: ['staff'],
    queryFn: () => provider.request((client) => client.GET('/api/admin/admins')),
    staleTime: 300_000,
  });
}

/** Administrators' names by id. */
export function useStaff(): Map<number, string> {
  const { data } = useAdministrators();
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}

/**
 * Whether the server refuses everything until the administrator has a second factor; undefined while loading. No right
 * is needed for the list of administrators, so nothing else refuses it.
 */
export function useNeedsSecondFactor(): boolean | undefined {
  const { isPending, error } = useAdministrators();
  return isPending ? undefined : error instanceof Refusal && error.status === 403;
}
