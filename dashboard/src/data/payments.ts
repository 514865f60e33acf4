import { unwrap } from '../server/server.ts';
import { pageOf, rowsOf, type Binding, type BodyOf, type Query } from './binding.ts';

export const payments = {
  list: async (client, query: Query<BodyOf<'/api/paymentsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/paymentsall', { body: { ...pageOf(query), with_source: true } }))),
} satisfies Binding;
