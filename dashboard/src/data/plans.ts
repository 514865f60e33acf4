import { ask } from '../server/server.ts';
import { bodyOf, foundIn, idOf, pageOfAll, type Binding } from './binding.ts';

export const plans = {
  list: async (client, query) => pageOfAll(await ask(client.GET('/api/plans')), query),
  one: async (client, id) => foundIn(await ask(client.GET('/api/plans')), id),
  create: (client, values) => ask(client.POST('/api/admin/plans', { body: bodyOf(values) })),
  update: (client, id, { changes }) => ask(client.PUT('/api/admin/plans/{id}', { ...idOf(id), body: bodyOf(changes) })),
  remove: (client, id) => ask(client.DELETE('/api/admin/plans/{id}', idOf(id))),
} satisfies Binding;
