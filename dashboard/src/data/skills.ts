import { unwrap } from '../server/server.ts';
import { foundIn, idOf, pageOfAll, type Binding, type BodyOf, type Edit } from './binding.ts';

export const skills = {
  list: async (client, query) => pageOfAll(await unwrap(client.GET('/api/skills')), query),
  get: async (client, id) => foundIn(await unwrap(client.GET('/api/skills')), id),
  create: (client, values: BodyOf<'/api/admin/skills', 'post'>) =>
    unwrap(client.POST('/api/admin/skills', { body: values })),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/skills/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/skills/{id}', { ...idOf(id), body: changes })),
  remove: (client, id) => unwrap(client.DELETE('/api/admin/skills/{id}', idOf(id))),
} satisfies Binding;
