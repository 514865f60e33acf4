import { ask } from '../server/server.ts';
import { pageOf, rowsOf, type Binding } from './binding.ts';

export const payments: Binding = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/paymentsall', { body: pageOf(query) }))),
};
