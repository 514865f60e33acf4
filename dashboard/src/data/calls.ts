import { unwrap } from '../server/server.ts';
import { pageOf, type Binding, type BodyOf, type Query } from './binding.ts';

/** A call's id is its identifier. */
const withId = <Call extends { identifier: string }>(call: Call) => ({ ...call, id: call.identifier });

export const calls = {
  list: async (client, query: Query<BodyOf<'/api/admin/callsall', 'post'>>) => {
    const { data, total } = await unwrap(client.POST('/api/admin/callsall', { body: pageOf(query) }));
    return { data: data.map(withId), total };
  },
  get: async (client, id) => {
    const path = { identifier: String(id) };
    return withId(await unwrap(client.GET('/api/admin/calls/{identifier}', { params: { path } })));
  },
} satisfies Binding;
