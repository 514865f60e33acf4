import { z } from 'zod';
import { integer, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { route, type Route } from '@tutoring/shared/kit/http/declare/route';
import { roomNotFound } from '../errors.ts';
import { file, UPLOADING } from '../files/file.ts';
import { receiveFile } from '../files/file-service.ts';
import { message, messageWindow, messageWithSender, newMessage, showMessage, withSender } from '../messages/message.ts';
import type { Parts } from '../parts.ts';
import { asSender } from '../people/person.ts';
import { isRead } from '../rooms/room.ts';
import { assertMayWrite, createSending, fetchPage, markRead } from './conversation-service.ts';

/** For the two people of a room. */
const ofRoom = {
  auth: 'user' as const,
  params: z.object({ uuid: uuid().toLowerCase().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }) }),
  notFound: roomNotFound,
};

export function conversationRoutes(parts: Parts): Route[] {
  const send = createSending(parts);
  return [
    route('get /api/rooms/{uuid}', {
      summary: 'Messages of a room, each with its sender',
      description:
        'For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window ' +
        'that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page ' +
        "read. The partner's balance is not shown; phone and address only with the setting `show_contact_details`.",
      ...ofRoom,
      query: messageWindow,
      response: z.array(messageWithSender),
      handle: async ({ params: { uuid: roomUuid }, query, caller }) => {
        const { room, messages } = await fetchPage(parts, caller.id, roomUuid, query);
        if (messages.length === 0) return [];
        const [personOf, solde, settings] = await Promise.all([
          parts.people.load([room.student_id, room.teacher_id]),
          parts.people.solde(caller.id),
          parts.settings(),
        ]);
        const viewer = { id: caller.id, solde, showContactDetails: settings.show_contact_details === 1 };
        return messages.map((stored) =>
          withSender(showMessage(stored, room.now, isRead(room, stored)), asSender(personOf(stored.sender_id), viewer)),
        );
      },
    }),
    route('get /api/rooms/{uuid}/messages', {
      summary: 'Messages of a room',
      description:
        'For the two people of the room; for others it is a 404. Chronological: the newest 500, or the window ' +
        'that `before`, `after` and `limit` ask for. Statuses are those before this fetch, which marks the page ' +
        'read.',
      ...ofRoom,
      query: messageWindow,
      response: z.array(message),
      handle: async ({ params: { uuid: roomUuid }, query, caller }) => {
        const { room, messages } = await fetchPage(parts, caller.id, roomUuid, query);
        return messages.map((stored) => showMessage(stored, room.now, isRead(room, stored)));
      },
    }),
    route('post /api/rooms/{uuid}/messages', {
      summary: 'Send a message',
      description:
        'For the two people of the room; for others it is a 404. Requires `message`, or a `message_link` to a file ' +
        '(http or https). Both receive `message.created`, and the partner gets a push. 409 when one of the two can ' +
        'no longer be written to, or has blocked the other. A repeat with the same `client_message_id` or ' +
        '`Idempotency-Key` sends nothing twice.',
      ...ofRoom,
      body: newMessage,
      response: message,
      errors: ['conflict'],
      idempotent: true,
      handle: ({ params: { uuid: roomUuid }, body, caller, once }) => send(caller, roomUuid, body, once),
    }),
    route('post /api/rooms/{uuid}/files', {
      summary: 'Upload a file for a room',
      description: `For the two people of the room; for others it is a 404. ${UPLOADING}`,
      ...ofRoom,
      upload: true,
      response: file,
      errors: ['conflict'],
      handle: async ({ params: { uuid: roomUuid }, caller, request }) => {
        await assertMayWrite(parts, caller, roomUuid);
        return receiveFile(parts, caller, request);
      },
    }),
    route('post /api/rooms/{uuid}/read', {
      summary: 'Mark as read',
      description:
        'For the two people of the room. Up to the message `up_to`, or everything. Returns how far the caller has ' +
        'read (0: nothing yet); the partner receives `message.read`.',
      ...ofRoom,
      body: z.object({
        up_to: integer({ min: 1 }).optional().meta({ example: 1042 }),
      }),
      response: z
        .strictObject({
          room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
          up_to: z.int().meta({ example: 1042 }),
        })
        .meta({ id: 'OwnReadMark' }),
      handle: async ({ params: { uuid: roomUuid }, body, caller }) => ({
        room_uuid: roomUuid.toLowerCase(),
        up_to: await markRead(parts, caller.id, roomUuid, body.up_to),
      }),
    }),
  ];
}
