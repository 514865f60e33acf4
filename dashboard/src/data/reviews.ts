import { unwrap } from '../server/server.ts';
import { idOf, pageOf, rowsOf, type Binding, type BodyOf, type Edit, type Query } from './binding.ts';

export const reviews = {
  list: async (client, query: Query<BodyOf<'/api/admin/reviewsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/reviewsall', { body: pageOf(query) }))),
  update: (client, id, { values }: Edit<BodyOf<'/api/admin/reviews/{id}', 'put'>>) =>
    unwrap(client.PUT('/api/admin/reviews/{id}', { ...idOf(id), body: values })),
} satisfies Binding;
