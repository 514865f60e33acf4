import { ask } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const settings = {
  list: async (client, query: Query<BodyOf<'/api/admin/settingsall', 'post'>>) =>
    rowsOf(await ask(client.POST('/api/admin/settingsall', { body: pageOf(query) }))),
  one: (client, id) => ask(client.GET('/api/admin/settings/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/settings/{id}', 'put'>>) =>
    ask(client.PUT('/api/admin/settings/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
