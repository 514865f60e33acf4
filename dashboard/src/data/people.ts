import { ask } from '../server/server.ts';
import { bodyOf, idOf, pageOf, rowsOf, type Binding } from './binding.ts';

export const people = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/admin/usersall', { body: pageOf(query) }))),
  one: (client, id) => ask(client.GET('/api/admin/users/{id}', idOf(id))),
  update: (client, id, { changes }) => ask(client.PUT('/api/admin/users/{id}', { ...idOf(id), body: bodyOf(changes) })),
} satisfies Binding;
