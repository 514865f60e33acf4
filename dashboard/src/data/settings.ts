import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const settings = {
  list: async (client, query: Query<BodyOf<'/api/admin/settingsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/settingsall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/settings/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/settings/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/settings/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
