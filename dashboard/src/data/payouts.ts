import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Query } from './binding.ts';

/** Batches of payouts. */
export const payouts = {
  list: async (client, query: Query<BodyOf<'/api/admin/payout-batchesall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/payout-batchesall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/payout-batches/{id}', idOf(id))),
} satisfies Binding;
