import { ask } from '../server/server.ts';
import { bodyOf, idOf, pageOf, rowsOf, type Binding } from './binding.ts';

export const reports = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/admin/reportsall', { body: pageOf(query) }))),
  one: (client, id) => ask(client.GET('/api/admin/reports/{id}', idOf(id))),
  update: (client, id, { values }) => ask(client.PUT('/api/admin/reports/{id}', { ...idOf(id), body: bodyOf(values) })),
} satisfies Binding;
