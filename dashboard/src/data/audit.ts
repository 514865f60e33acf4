import { unwrap } from '../server/server.ts';
import { pageOf, rowsOf, type Binding, type BodyOf, type Query } from './binding.ts';

export const audit = {
  list: async (client, query: Query<BodyOf<'/api/admin/auditall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/auditall', { body: pageOf(query) }))),
} satisfies Binding;
