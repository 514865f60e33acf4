import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const withdrawals = {
  list: async (client, query: Query<BodyOf<'/api/admin/withdrawalsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/withdrawalsall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/withdrawals/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/withdrawals/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/withdrawals/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
