import { ask } from '../server/server.ts';
import { foundIn, idOf, pageOfAll, type Binding, type BodyOf, type Edit } from './binding.ts';

export const skills = {
  list: async (client, query) => pageOfAll(await ask(client.GET('/api/skills')), query),
  one: async (client, id) => foundIn(await ask(client.GET('/api/skills')), id),
  create: (client, values: BodyOf<'/api/admin/skills', 'post'>) =>
    ask(client.POST('/api/admin/skills', { body: values })),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/skills/{id}', 'put'>>) =>
    ask(client.PUT('/api/admin/skills/{id}', { ...idOf(id), body: changes })),
  remove: (client, id) => ask(client.DELETE('/api/admin/skills/{id}', idOf(id))),
} satisfies Binding;
