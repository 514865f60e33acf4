import { ask } from '../server/server.ts';
import { bodyOf, foundIn, idOf, pageOfAll, type Binding } from './binding.ts';

export const skills = {
  list: async (client, query) => pageOfAll(await ask(client.GET('/api/skills')), query),
  one: async (client, id) => foundIn(await ask(client.GET('/api/skills')), id),
  create: (client, values) => ask(client.POST('/api/admin/skills', { body: bodyOf(values) })),
  update: (client, id, { changes }) =>
    ask(client.PUT('/api/admin/skills/{id}', { ...idOf(id), body: bodyOf(changes) })),
  remove: (client, id) => ask(client.DELETE('/api/admin/skills/{id}', idOf(id))),
} satisfies Binding;
