import { z } from 'zod';
import { fieldsOf } from '@tutoring/shared/http/declare/fields';
import { route, type Route } from '@tutoring/shared/http/declare/route';
import type { Parts } from '../parts.ts';
import { listUnread } from './unread-store.ts';

const room = z
  .strictObject({
    room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    unread: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'UnreadRoom' });

const sum = (counts: { unread: number }[]) => counts.reduce((total, { unread }) => total + unread, 0);

export const unreadRoutes = ({ database }: Parts): Route[] => [
  route('get /api/rooms/unread', {
    summary: 'How many messages the caller has not read',
    description:
      'For students and teachers. Each room with anything unread, latest activity first; `total` counts those of ' +
      'the support room (`support`) too. Nothing is marked read by it.',
    auth: 'user',
    response: z.strictObject({
      total: z.int().meta({ example: 3 }),
      support: z.int().meta({ example: 1 }),
      rooms: z.array(room),
    }),
    handle: async ({ caller }) => {
      const unread = await listUnread(database.manager, caller.id);
      const [support, rooms] = [unread.filter((one) => one.is_support), unread.filter((one) => !one.is_support)];
      return { total: sum(unread), support: sum(support), rooms: rooms.map((one) => fieldsOf(room, one)) };
    },
  }),
];
