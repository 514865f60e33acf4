import { ask } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const reports = {
  list: async (client, query: Query<BodyOf<'/api/admin/reportsall', 'post'>>) =>
    rowsOf(await ask(client.POST('/api/admin/reportsall', { body: pageOf(query) }))),
  one: (client, id) => ask(client.GET('/api/admin/reports/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/reports/{id}', 'put'>>) =>
    ask(client.PUT('/api/admin/reports/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
