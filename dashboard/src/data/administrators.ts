import { unwrap } from '../server/server.ts';
import { idOf, pageOfAll, type Binding, type BodyOf, type Edit, type Values } from './binding.ts';

export const administrators = {
  list: async (client, query) => pageOfAll(await unwrap(client.GET('/api/admin/admins')), query),
  get: (client, id) => unwrap(client.GET('/api/admin/admins/{id}', idOf(id))),
  /** The server's answer has no id, so the new administrator is looked up by e-mail address, which is unique. */
  create: async (client, values: BodyOf<'/api/admin/admins', 'post'>) => {
    await unwrap(client.POST('/api/admin/admins', { body: values }));
    const all = await unwrap(client.GET('/api/admin/admins'));
    return all.find(({ email }) => email === emailOf(values)) ?? { id: '' };
  },
  update: async (client, id, { values }: Edit<BodyOf<'/api/admin/admins/{id}', 'put'>>) => {
    await unwrap(client.PUT('/api/admin/admins/{id}', { ...idOf(id), body: values }));
    return unwrap(client.GET('/api/admin/admins/{id}', idOf(id)));
  },
} satisfies Binding;

/** The e-mail address as the server stores it. */
const emailOf = ({ email }: Values) => String(email).trim().toLowerCase();
