import { ask } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const deposits = {
  list: async (client, query: Query<BodyOf<'/api/admin/depositsall', 'post'>>) =>
    rowsOf(await ask(client.POST('/api/admin/depositsall', { body: pageOf(query) }))),
  one: (client, id) => ask(client.GET('/api/admin/deposits/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/deposits/{id}', 'put'>>) =>
    ask(client.PUT('/api/admin/deposits/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
