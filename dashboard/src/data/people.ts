import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const people = {
  list: async (client, query: Query<BodyOf<'/api/admin/usersall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/usersall', { body: pageOf(query) }))),
  get: (client, id) => unwrap(client.GET('/api/admin/users/{id}', idOf(id))),
  update: (client, id, { changes }: Edit<BodyOf<'/api/admin/users/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/users/{id}', { ...idOf(id), body: changes })),
} satisfies Binding;
