import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { room } from '@tutoring/shared/events/live';
import { id } from '@tutoring/shared/http/fields';
import { route, type Route } from '@tutoring/shared/http/route';
import type { Rooms } from './room-service.ts';
import { listRooms } from './room-store.ts';

export const roomRoutes = ({ database, rooms }: { database: Database; rooms: Rooms }): Route[] => [
  route({
    method: 'get',
    path: '/api/rooms',
    summary: "The caller's rooms, latest activity first",
    description:
      'For students and teachers. Each with both people, the last message and, while a call lives, its ' +
      '`rtc_token`. E-mail addresses are real; phones and addresses are not shown here.',
    auth: 'user',
    response: z.array(room),
    handle: async ({ caller }) => rooms.show(await listRooms(database.manager, caller.id, caller.platform), caller.id),
  }),
  route({
    method: 'post',
    path: '/api/rooms',
    summary: 'Open the room with a teacher',
    description:
      'For students. There is one room per student and teacher: opened again, it is the same. An unknown ' +
      'teacher is a 422. Both hear `room.created`.',
    auth: 'student',
    body: z.object({ teacher_id: id().meta({ example: 7 }) }),
    response: room,
    handle: ({ body, caller }) => rooms.open(caller.id, body.teacher_id),
  }),
];
