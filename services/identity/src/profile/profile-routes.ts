import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { Reply, route, type Route } from '@tutoring/shared/http/route';
import { recordNotFound } from '../errors.ts';
import type { People } from '../users/people.ts';
import { AVATAR_PATH, OLD_AVATAR_PATH, userView } from '../users/user.ts';
import { AVATAR, OLD_AVATAR } from './avatar.ts';
import type { Deletion } from './deletion-service.ts';
import { catalogueRules, deletionBody, profileBody } from './profile.ts';
import type { Profile } from './profile-service.ts';

export function profileRoutes(deps: {
  database: Database;
  people: People;
  profile: Profile;
  deletion: Deletion;
}): Route[] {
  const { database, people, profile, deletion } = deps;
  return [
    route({
      method: 'get',
      path: AVATAR_PATH,
      summary: 'The default photo',
      description: 'Public. The picture of whoever has set no photo. Not JSON and in no envelope.',
      auth: 'public',
      response: z.instanceof(Uint8Array).meta({ override: { type: 'string', format: 'binary' } }),
      produces: 'image/png',
      handle: () => new Reply(AVATAR),
    }),
    route({
      method: 'get',
      path: OLD_AVATAR_PATH,
      summary: 'The default photo as apps before had it',
      description: 'Public. The same as SVG, for links that are still around. Not JSON and in no envelope.',
      auth: 'public',
      response: z.string(),
      produces: 'image/svg+xml',
      handle: () => OLD_AVATAR,
    }),
    route({
      method: 'get',
      path: '/api/me',
      summary: 'Own profile',
      description: 'For students and teachers. `solde` is what the caller can spend now. Unset texts are empty.',
      auth: 'user',
      response: userView,
      errors: ['not_found'],
      notFound: recordNotFound,
      handle: ({ caller }) => people.show(caller.id),
    }),
    route({
      method: 'put',
      path: '/api/me',
      summary: 'Change the own profile',
      description:
        'For students and teachers. Only the fields that are sent change. A new `password` needs ' +
        '`current_password` and ends every session. A new `email` or `phone_number` is sent a code first (422 on ' +
        '`code`) and takes effect when the request is repeated with that `code`.',
      auth: 'user',
      body: profileBody,
      rules: async ({ fields, caller }) => [
        ...(await catalogueRules(database.manager, fields)),
        ...(await profile.takenAddresses(caller, fields)),
      ],
      response: userView,
      errors: ['not_found', 'unavailable'],
      handle: ({ body, caller, request }) => profile.update(caller, body, request.clientAddress),
    }),
    route({
      method: 'delete',
      path: '/api/me',
      summary: 'Delete the own account',
      description:
        'For students and teachers; for good. Needs the `password`, or the `code` that a request without either ' +
        'sends; a wrong one is a 422. 409 during a call, with an open withdrawal, or with money left unless ' +
        '`forfeit` is true. What others keep, such as messages, loses the name.',
      auth: 'user',
      body: deletionBody,
      response: z.strictObject({ message: z.string() }),
      errors: ['not_found', 'conflict', 'unavailable'],
      handle: ({ body, caller, request }) => deletion.remove(caller, body, request.clientAddress),
    }),
  ];
}
