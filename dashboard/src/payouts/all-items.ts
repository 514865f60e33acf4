import { useQuery } from '@tanstack/react-query';
import { useDataProvider } from 'ra-core';
import type { ServerProvider } from '../data-provider.ts';
import { ITEMS } from './live-payouts.tsx';
import type { Item } from './payout.ts';

/** The largest page. A batch has at most ten. */
const PER_PAGE = 100;

/** All payouts of a batch by their id; empty until they are loaded. */
export function useAllItems(id: string, isNeeded: boolean): ReadonlyMap<number, Item> {
  const provider = useDataProvider<ServerProvider>();
  const fetchPage = (page: number) =>
    provider.request((client) =>
      client.GET('/api/admin/payout-batches/{id}/items', {
        params: { path: { id }, query: { page, pageItems: PER_PAGE, order: 'asc' } },
      }),
    );
  const { data } = useQuery({
    queryKey: [ITEMS, id, 'all'],
    enabled: isNeeded,
    queryFn: async () => {
      const items: Item[] = [];
      for (let page = 1, total = 1; (page - 1) * PER_PAGE < total; page += 1) {
        const answer = await fetchPage(page);
        items.push(...answer.data);
        ({ total } = answer);
      }
      return items;
    },
  });
  return new Map(data?.map((item) => [item.id, item]));
}
