import { ask } from '../server/server.ts';
import { foundIn, idOf, pageOfAll, type Binding, type BodyOf, type Edit } from './binding.ts';

export const plans = {
  list: async (client, query) => pageOfAll(await ask(client.GET('/api/plans')), query),
  one: async (client, id) => foundIn(await ask(client.GET('/api/plans')), id),
  create: (client, values: BodyOf<'/api/admin/plans', 'post'>) =>
    ask(client.POST('/api/admin/plans', { body: values })),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/plans/{id}', 'put'>>) =>
    ask(client.PUT('/api/admin/plans/{id}', { ...idOf(id), body: changes })),
  remove: (client, id) => ask(client.DELETE('/api/admin/plans/{id}', idOf(id))),
} satisfies Binding;
