import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { command } from '@tutoring/shared/contract/command';
import { listSignIns } from '../credentials/lockout-store.ts';
import { found } from '../errors.ts';
import type { Parts } from '../parts.ts';
import * as users from './user-service.ts';
import { adminUserView, standing, userFilter, userView } from './user.ts';
import { createUserList, findUser } from './user-store.ts';

const params = z.object({ id: pathId() });

export function userRoutes(parts: Parts): Route[] {
  const listUsers = createUserList();
  return [
    listRoute('post /api/admin/usersall', {
      summary: 'Find students and teachers',
      description:
        'For administrators. Paged, newest first. `filter_value` searches name, e-mail and phone number; if it is ' +
        'the id of a user, that user comes first. `from` and `to` are days of registration, both included.',
      auth: 'admin',
      right: 'people',
      body: userFilter,
      item: userView,
      publicUrl: parts.publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listUsers(parts.database.standby.manager, filter, window);
        return { items: items.map((user) => users.view(parts, user)), total };
      },
    }),
    route('get /api/admin/users/{id}', {
      summary: 'A student or teacher',
      description:
        "For administrators. The user's own view of the profile, and `banned`: by whom, when and why, else null.",
      auth: 'admin',
      right: 'people',
      params,
      response: adminUserView,
      handle: ({ params: { id } }) => users.adminView(parts, id),
    }),
    route('put /api/admin/users/{id}', {
      summary: 'Ban, readmit or verify',
      description:
        'For administrators. A ban ends every session within a second, and the live call; `status` `active` also ' +
        'ends a lock-out. `verified` is for teachers only (422). Only the fields that are sent change. `reason` is ' +
        'stored in the audit log with the change; the reason of a ban is also shown in `banned`.',
      auth: 'admin',
      right: 'standing',
      params,
      body: standing,
      response: adminUserView,
      handle: ({ params: { id }, body, caller }) => users.setStanding(parts, caller, id, body),
    }),
    command('sign-ins.read', async ({ params: { id } }) => ({
      sign_ins: await listSignIns(parts.database.manager, id),
    })),
    command('user.read', async ({ params: { id } }) =>
      users.snapshot(parts, found(await findUser(parts.database.manager, id))),
    ),
  ];
}
