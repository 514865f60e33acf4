import { ask } from '../server/server.ts';
import { bodyOf, foundIn, idOf, pageOfAll, type Binding } from './binding.ts';

export const services = {
  list: async (client, query) => pageOfAll(await ask(client.GET('/api/services')), query),
  one: async (client, id) => foundIn(await ask(client.GET('/api/services')), id),
  create: (client, values) => ask(client.POST('/api/admin/services', { body: bodyOf(values) })),
  update: (client, id, { changes }) =>
    ask(client.PUT('/api/admin/services/{id}', { ...idOf(id), body: bodyOf(changes) })),
  remove: (client, id) => ask(client.DELETE('/api/admin/services/{id}', idOf(id))),
} satisfies Binding;
