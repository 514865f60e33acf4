import { z } from 'zod';
import { room } from '@tutoring/shared/contract/room';
import { pickFields, id, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { listLimit } from '@tutoring/shared/kit/http/declare/page';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { mustExist } from '@tutoring/shared/kit/http/read/validation';
import type { Parts } from '../parts.ts';
import { openRoom, showRoomsNow } from './room-service.ts';
import { findRoom, listRooms, listUnread } from './room-store.ts';

const MOST_ROOMS = 200;

const unreadRoom = z
  .strictObject({
    room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    unread: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'UnreadRoom' });

const sum = (counts: { unread: number }[]) => counts.reduce((total, { unread }) => total + unread, 0);

export const roomRoutes = (parts: Parts): Route[] => [
  route('get /api/rooms', {
    summary: "The caller's rooms, latest activity first",
    description:
      'For students and teachers. Each with both people, the last message and, during a call, its `rtc_token`. ' +
      'E-mail addresses are real; phones and addresses are not shown here. For rooms after the first 200, pass the ' +
      'uuid of the last one as `before`.',
    auth: 'user',
    query: z.object({
      before: uuid().optional().meta({ example: '6f1d2a54-9f0b-5f0a-8a57-0b9b3a1d2c3e' }),
      limit: listLimit(MOST_ROOMS, MOST_ROOMS),
    }),
    rules: mustExist('before', (before: string, caller) => findRoom(parts.database.manager, before, caller.id)),
    response: z.array(room),
    handle: ({ caller, query: { before, limit } }) =>
      showRoomsNow(parts, listRooms(parts.database.manager, caller, { before, limit }), caller.id),
  }),
  route('post /api/rooms', {
    summary: 'Open the room with a teacher',
    description:
      'For students. There is one room per student and teacher; opening it again returns it. An unknown ' +
      'teacher is a 422. Both receive `room.created`.',
    auth: 'student',
    body: z.object({ teacher_id: id().meta({ example: 7 }) }),
    response: room,
    handle: ({ body, caller }) => openRoom(parts, caller.id, body.teacher_id),
  }),
  route('get /api/rooms/unread', {
    summary: "The caller's unread messages",
    description:
      'For students and teachers. Each room with unread messages, latest activity first; `total` includes those of ' +
      'the support room (`support`). Marks nothing as read.',
    auth: 'user',
    response: z
      .strictObject({
        total: z.int().meta({ example: 3 }),
        support: z.int().meta({ example: 1 }),
        rooms: z.array(unreadRoom),
      })
      .meta({ id: 'UnreadRooms' }),
    handle: async ({ caller }) => {
      const unread = await listUnread(parts.database.manager, caller.id);
      const support = unread.filter(({ is_support }) => is_support);
      const rooms = unread.filter(({ is_support }) => !is_support);
      return {
        total: sum(unread),
        support: sum(support),
        rooms: rooms.map((stored) => pickFields(unreadRoom, stored)),
      };
    },
  }),
];
