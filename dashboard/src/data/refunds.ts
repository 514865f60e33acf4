import { unwrap } from '../server/server.ts';
import { foundIn, idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const refunds = {
  list: async (client, query: Query<BodyOf<'/api/admin/deposit-refundsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/deposit-refundsall', { body: pageOf(query) }))),
  /** Searched by id: the list has the row with this id first. */
  get: async (client, id) => {
    const body = { filter_value: String(id), pageItems: 1 };
    return foundIn((await unwrap(client.POST('/api/admin/deposit-refundsall', { body }))).data, id);
  },
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/deposit-refunds/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/deposit-refunds/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
