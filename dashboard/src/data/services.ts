import { unwrap } from '../server/server.ts';
import { foundIn, idOf, pageOfAll, type Binding, type BodyOf, type Edit } from './binding.ts';

export const services = {
  list: async (client, query) => pageOfAll(await unwrap(client.GET('/api/services')), query),
  get: async (client, id) => foundIn(await unwrap(client.GET('/api/services')), id),
  create: (client, values: BodyOf<'/api/admin/services', 'post'>) =>
    unwrap(client.POST('/api/admin/services', { body: values })),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/services/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/services/{id}', { ...idOf(id), body: changes })),
  remove: (client, id) => unwrap(client.DELETE('/api/admin/services/{id}', idOf(id))),
} satisfies Binding;
