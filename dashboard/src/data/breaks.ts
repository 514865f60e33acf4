import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const breaks = {
  list: async (client, query: Query<BodyOf<'/api/admin/breaksall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/breaksall', { body: pageOf(query) }))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/breaks/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/breaks/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
