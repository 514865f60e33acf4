import { ask } from '../server/server.ts';
import { bodyOf, foundIn, idOf, pageOf, rowsOf, type Binding } from './binding.ts';

export const reports: Binding = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/admin/reportsall', { body: pageOf(query) }))),
  /** There is no path for one report: the search finds exact ids. */
  one: async (client, id) => {
    const { data } = await ask(
      client.POST('/api/admin/reportsall', { body: { filter_value: String(id), pageItems: 100 } }),
    );
    return foundIn(data, id);
  },
  update: (client, id, { values }) => ask(client.PUT('/api/admin/reports/{id}', { ...idOf(id), body: bodyOf(values) })),
};
