import { z } from 'zod';
import { confirmation, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { roomNotFound } from '../errors.ts';
import { file, UPLOADING } from '../files/file.ts';
import { receiveFile } from '../files/file-service.ts';
import { message, messageWindow, newMessage } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { rate } from './case-service.ts';
import {
  newRating,
  newReply,
  showSupportDetail,
  showSupportItem,
  showSupportMessage,
  supportDetail,
  supportListItem,
  supportWindow,
} from './support.ts';
import { assertMayWrite, findRoom, openRoom, page, send } from './support-service.ts';
import { listLastSupportMessages, listSupportRooms } from './support-store.ts';

/** For administrators: the routes of one support room. */
const ofRoom = {
  auth: 'admin' as const,
  right: 'desk' as const,
  params: z.object({ uuid: uuid().toLowerCase().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }) }),
  notFound: roomNotFound,
};

/** A user's conversation with the administrators: first the user's routes, then the administrators'. */
export const supportRoutes = (parts: Parts): Route[] => [
  route('post /api/support/files', {
    summary: 'Upload a file for support',
    description: `For students and teachers. ${UPLOADING}`,
    auth: 'user',
    upload: true,
    response: file,
    handle: async ({ caller, request }) => {
      await assertMayWrite(parts.database.manager, caller.id, false);
      return receiveFile(parts, caller, request);
    },
  }),
  route('get /api/support/messages', {
    summary: "Messages of the caller's support room",
    description:
      'For students and teachers: the conversation with the administrators, opened when there is none. ' +
      'Chronological: the newest 500, or the window that the cursors ask for. Fetching marks the replies read.',
    auth: 'user',
    query: messageWindow,
    response: z.array(message),
    handle: async ({ query, caller }) => {
      const { room, messages } = await page(parts, await openRoom(parts, caller.id), false, query);
      return messages.map((stored) => showSupportMessage(room, stored, room.now));
    },
  }),
  route('post /api/support/messages', {
    summary: 'Write to support',
    description:
      'For students and teachers. Requires `message`, or a `message_link` to a file. Every administrator receives ' +
      '`support.message`. A repeat with the same `client_message_id` or `Idempotency-Key` sends nothing twice.',
    auth: 'user',
    body: newMessage,
    response: message,
    errors: ['conflict'],
    idempotent: true,
    handle: async ({ body, caller, once }) => {
      const { uuid: roomUuid } = await openRoom(parts, caller.id);
      return send(parts, roomUuid, { caller, body }, once);
    },
  }),
  route('post /api/admin/rooms/{uuid}/files', {
    summary: 'Upload a file for a user',
    description: `For administrators, for a support room; 409 when the account is deleted. ${UPLOADING}`,
    ...ofRoom,
    upload: true,
    response: file,
    errors: ['conflict'],
    handle: async ({ params: { uuid: roomUuid }, caller, request }) => {
      await assertMayWrite(parts.database.manager, (await findRoom(parts, roomUuid)).user_id, true);
      return receiveFile(parts, caller, request);
    },
  }),
  route('get /api/admin/rooms', {
    summary: 'Support rooms, latest activity first',
    description:
      'For administrators. The newest 1,000; for older ones, pass the uuid of the last one as `before`. Each with its ' +
      "user and last message. `user_id`: only this user's room. `unanswered`: only rooms whose last message is the " +
      "user's, without those of deleted accounts.",
    auth: 'admin',
    right: 'desk',
    query: supportWindow,
    response: z.array(supportListItem),
    handle: async ({ query }) => {
      const rooms = await listSupportRooms(parts.database.standby.manager, query);
      const [personOf, last] = await Promise.all([
        parts.people.load(rooms.map((room) => room.user_id)),
        listLastSupportMessages(parts.database.standby.manager, rooms),
      ]);
      const lastOf = new Map(last.map((stored) => [stored.room_uuid, stored]));
      return rooms.map((room) => showSupportItem(room, personOf(room.user_id), lastOf.get(room.uuid), room.now));
    },
  }),
  route('get /api/admin/rooms/{uuid}', {
    summary: 'A support room with its messages',
    description:
      'For administrators. Chronological: the newest 500, or the window that the cursors ask for. Fetching ' +
      "marks the user's messages read, for all administrators.",
    ...ofRoom,
    query: messageWindow,
    response: supportDetail,
    handle: async ({ params: { uuid: roomUuid }, query }) => {
      const { room, messages } = await page(parts, await findRoom(parts, roomUuid), true, query);
      return showSupportDetail(room, messages, room.now);
    },
  }),
  route('post /api/admin/rooms/{uuid}/messages', {
    summary: 'Reply to a user',
    description:
      'For administrators. Requires `message`, or a `message_link` to a file. The user receives `support.message` and ' +
      'gets a push. 409 when the account is deleted. The reply takes an unassigned case. `resolve`: also resolves the ' +
      "user's case, if one is open or snoozed. A repeat with the same `client_message_id` or `Idempotency-Key` sends " +
      'nothing twice.',
    ...ofRoom,
    body: newReply,
    response: message,
    errors: ['conflict'],
    idempotent: true,
    handle: ({ params: { uuid: roomUuid }, body, caller, once }) => {
      const { resolve, ...message } = body;
      return send(parts, roomUuid, { caller, body: message, ...(resolve !== undefined && { resolve }) }, once);
    },
  }),
  route('post /api/support/rating', {
    summary: 'Rate the help of support',
    description:
      "For students and teachers. Rates the caller's last resolved case, and changes that rating, within seven days; " +
      '409 when there is none. The live event `support.resolved` says when to ask for it.',
    auth: 'user',
    body: newRating,
    response: confirmation,
    errors: ['conflict'],
    handle: async ({ body: { score, comment = null }, caller }) => {
      await rate(parts, caller, { score, comment });
      return { message: texts.rated };
    },
  }),
];
