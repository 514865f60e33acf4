import { unwrap } from '../server/server.ts';
import { foundIn, idOf, pageOfAll, type Binding, type BodyOf, type Edit } from './binding.ts';

export const plans = {
  list: async (client, query) => pageOfAll(await unwrap(client.GET('/api/plans')), query),
  get: async (client, id) => foundIn(await unwrap(client.GET('/api/plans')), id),
  create: (client, values: BodyOf<'/api/admin/plans', 'post'>) =>
    unwrap(client.POST('/api/admin/plans', { body: values })),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/plans/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/plans/{id}', { ...idOf(id), body: changes })),
  remove: (client, id) => unwrap(client.DELETE('/api/admin/plans/{id}', idOf(id))),
} satisfies Binding;
