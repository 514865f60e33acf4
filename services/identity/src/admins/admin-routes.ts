import { z } from 'zod';
import { done, pathId } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { adminAccess, adminView, adminViewOf, newAdmin } from './admin.ts';
import type { Admins } from './admin-service.ts';
import { findAdmin, listAccess, listAdmins } from './admin-store.ts';

const params = z.object({ id: pathId() });

type Deps = Parts & { admins: Admins };

export const adminRoutes = ({ database: { manager }, admins, tokens }: Deps): Route[] => [
  route('get /api/admin/admins', {
    summary: 'Administrators',
    description: 'For administrators. All of them, inactive ones too.',
    auth: 'admin',
    response: z.array(adminView),
    handle: async () => (await listAdmins(manager)).map(adminViewOf),
  }),
  route('get /api/admin/admins/access', {
    summary: 'How administrators get in',
    description:
      'For super administrators. All of them by id: when they logged in last (null: not since this was recorded), ' +
      'whether their two-factor authentication is on, and how many live sessions they have.',
    auth: 'su',
    response: z.array(adminAccess),
    handle: () => listAccess(manager, tokens.idle.admin),
  }),
  route('get /api/admin/admins/{id}', {
    summary: 'An administrator',
    description: 'For administrators. One of them, by id.',
    auth: 'admin',
    params,
    response: adminView,
    handle: async ({ params: { id } }) => {
      const admin = await findAdmin(manager, id);
      return admin && adminViewOf(admin);
    },
  }),
  route('post /api/admin/admins', {
    summary: 'Create an administrator',
    description:
      'For super administrators. The new one has the level `default` and can log in at once. `statusCode` is ' +
      '201 and `data` a sentence. An e-mail in use is a 422, and so is a password that is among the most common, or ' +
      'has the name or e-mail name in it.',
    auth: 'su',
    body: newAdmin,
    rules: ({ fields }) => admins.rules(fields),
    response: z.string().meta({ example: 'The administrator has been created.' }),
    status: 201,
    handle: ({ body, caller, request }) => admins.create(caller, body, request.clientAddress),
  }),
  route('put /api/admin/admins/{id}', {
    summary: 'Activate or deactivate an administrator',
    description:
      "For super administrators. Deactivating ends the other's sessions within a second. 409 for oneself and " +
      'for the last active super administrator.',
    auth: 'su',
    params,
    body: z.object({ status: z.enum(['active', 'inactive']) }),
    response: done,
    errors: ['conflict'],
    handle: ({ params: { id }, body, caller }) => admins.setStatus(caller, id, body.status),
  }),
];
