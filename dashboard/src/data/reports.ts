import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const reports = {
  list: async (client, query: Query<BodyOf<'/api/admin/reportsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/reportsall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/reports/{id}', idOf(id))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/reports/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/reports/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
