import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const deposits = {
  list: async (client, query: Query<BodyOf<'/api/admin/depositsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/depositsall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/deposits/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/deposits/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/deposits/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
