import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useLogoutIfAccessDenied } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { ITEMS } from './live-payouts.tsx';
import type { Item } from './payout.ts';

/** The largest page. A batch has at most ten. */
const PER_PAGE = 100;

/** All payouts of a batch by their id; undefined until they are loaded. */
export function useAllItems(id: string, isNeeded: boolean) {
  const provider = useDataProvider<ServerProvider>();
  const logoutIfAccessDenied = useLogoutIfAccessDenied();
  const fetchPage = (page: number) =>
    provider.request((client) =>
      client.GET('/api/admin/payout-batches/{id}/items', {
        params: { path: { id }, query: { page, pageItems: PER_PAGE, order: 'asc' } },
      }),
    );
  const fetchAll = async () => {
    const items: Item[] = [];
    for (let page = 1, total = 1; (page - 1) * PER_PAGE < total; page += 1) {
      const answer = await fetchPage(page);
      items.push(...answer.data);
      ({ total } = answer);
    }
    return items;
  };
  const { data, error, refetch } = useQuery({
    queryKey: [ITEMS, id, 'all'],
    enabled: isNeeded,
    queryFn: async () => {
      try {
        return await fetchAll();
      } catch (refusal) {
        await logoutIfAccessDenied(refusal);
        throw refusal;
      }
    },
  });
  const items: ReadonlyMap<number, Item> | undefined = data && new Map(data.map((item) => [item.id, item]));
  return { items, error, refetch };
}
