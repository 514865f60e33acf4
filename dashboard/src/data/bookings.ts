import { unwrap } from '../server/server.ts';
import { pageOf, rowsOf, type Binding, type BodyOf, type Query } from './binding.ts';

export const bookings = {
  list: async (client, query: Query<BodyOf<'/api/admin/bookingsall', 'post'>>) =>
    rowsOf(await unwrap(client.POST('/api/admin/bookingsall', { body: pageOf(query) }))),
} satisfies Binding;
