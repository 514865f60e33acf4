import { z } from 'zod';
import { route, type Route } from '@tutoring/shared/http/route';
import { recordNotFound } from '../errors.ts';
import type { People } from '../users/people.ts';
import { AVATAR_PATH, userView } from '../users/user.ts';
import { AVATAR } from './avatar.ts';

export function profileRoutes(deps: { people: People }): Route[] {
  const { people } = deps;
  return [
    route({
      method: 'get',
      path: AVATAR_PATH,
      summary: 'The default photo',
      auth: 'public',
      response: z.string(),
      produces: 'image/svg+xml',
      handle: () => AVATAR,
    }),
    route({
      method: 'get',
      path: '/api/me',
      summary: 'Own profile',
      auth: 'user',
      response: userView,
      errors: ['not_found'],
      notFound: recordNotFound,
      handle: ({ caller }) => people.show(caller.id),
    }),
  ];
}
