import { ask } from '../server/server.ts';
import { pageOf, rowsOf, type Binding } from './binding.ts';

export const audit = {
  list: async (client, query) => rowsOf(await ask(client.POST('/api/admin/auditall', { body: pageOf(query) }))),
} satisfies Binding;
