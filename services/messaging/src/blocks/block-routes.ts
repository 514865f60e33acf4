import { z } from 'zod';
import { confirmation, id, pathId, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { listLimit } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { mustExist } from '@tutoring/shared/kit/http/read/validation';
import { userNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { block, unblock } from './block-service.ts';
import { hasBlocked, listBlocks } from './block-store.ts';

/** Shared by the routes that block and unblock a user. */
const changing = {
  auth: 'user' as const,
  params: z.object({ user_id: pathId() }),
  notFound: userNotFound,
  response: confirmation,
  errors: ['invalid' as const],
};

const blocked = z
  .strictObject({
    user_id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    created_at: timestamp(),
  })
  .meta({ id: 'BlockedUser' });

export const blockRoutes = (parts: Parts): Route[] => [
  route('get /api/blocks', {
    summary: 'Users whom the caller has blocked, newest first',
    description:
      'For students and teachers. For older blocks, pass the `user_id` of the last as `before`. A page has 50, or ' +
      '`limit`, at most 100.',
    auth: 'user',
    query: z.object({ before: id().optional().meta({ example: 12 }), limit: listLimit(100, 50) }),
    rules: mustExist('before', (before: number, caller) => hasBlocked(parts.database.manager, caller.id, before)),
    response: z.array(blocked),
    handle: async ({ caller, query }) => {
      const found = await listBlocks(parts.database.manager, caller.id, query);
      const personOf = await parts.people.load(found.map(({ blocked_id: userId }) => userId));
      return found.map(({ blocked_id: user_id, created_at }) => {
        const { name, photo } = personOf(user_id);
        return { user_id, name, photo, created_at };
      });
    },
  }),
  route('put /api/blocks/{user_id}', {
    summary: 'Block a user',
    description:
      'For students and teachers. From now on neither of the two can write to the other (409) or call them (409, as ' +
      'if they were busy). A call that rings between them ends; an active call continues. Messages stay, and the other ' +
      'person is not notified. A repeat changes nothing. 404 for an unknown user or an administrator, 422 for ' +
      'oneself.',
    ...changing,
    handle: async ({ params: { user_id: userId }, caller }) => {
      await block(parts, caller.id, userId);
      return { message: texts.blocked };
    },
  }),
  route('delete /api/blocks/{user_id}', {
    summary: 'Lift a block',
    description:
      'For students and teachers. The two can write to and call each other again, unless the other has blocked the ' +
      'caller too. A success also when there is no block; 404 for an unknown user or an administrator, 422 for oneself.',
    ...changing,
    handle: async ({ params: { user_id: userId }, caller }) => {
      await unblock(parts, caller.id, userId);
      return { message: texts.unblocked };
    },
  }),
];
