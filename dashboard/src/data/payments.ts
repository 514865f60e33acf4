import { ask } from '../server/server.ts';
import { pageOf, rowsOf, type Binding } from './binding.ts';

export const payments = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/paymentsall', { body: pageOf(query) }))),
} satisfies Binding;
