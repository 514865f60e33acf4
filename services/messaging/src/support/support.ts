import { z } from 'zod';
import { contact } from '@tutoring/shared/kit/http/declare/contacts';
import { pickFields, flag, id, integer, text, times, timestamp, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { listLimit } from '@tutoring/shared/kit/http/declare/page';
import { message, newMessage, showMessage, type Message } from '../messages/message.ts';
import { ownEmail, type Person } from '../people/person.ts';

export type SupportMessage = Message & { by_staff: boolean };

export const supportListItem = z
  .strictObject({
    uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    user: z
      .strictObject({
        id: z.int().meta({ example: 12 }),
        name: z.string().meta({ example: 'Awa Diallo' }),
        email: contact('email'),
        phone_number: contact('phone_number'),
      })
      .meta({ id: 'SupportUser' }),
    last_message: message.nullable(),
  })
  .meta({ id: 'SupportRoomItem' });

export const supportDetail = z
  .strictObject({
    uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    user_id: z.int().meta({ example: 12 }),
    last_message_at: z.union([timestamp(), z.literal('')]).meta({ description: 'Empty when there is no message.' }),
    ...times,
    messages: z.array(message),
  })
  .meta({ id: 'SupportRoom' });

/** A user's conversation with the administrators, who share one side of it. */
export type SupportRoom = Omit<z.infer<typeof supportDetail>, 'messages' | 'last_message_at'> &
  Record<`${'user' | 'staff'}_${'read_id' | 'last_id'}`, number> & { last_message_at: string | null };

/** An administrator's reply. */
export const newReply = newMessage
  .safeExtend({ resolve: flag().optional().meta({ description: "Also resolves the user's case.", example: true }) })
  .meta(newMessage.meta() ?? {});

export const newRating = z.object({
  score: integer({ min: 1, max: 5 }).meta({ example: 5 }),
  comment: text(2_000).optional().meta({ example: 'Quick and friendly.' }),
});

const MAX_SUPPORT_ROOMS = 1_000;

/** A page of the list: only rooms that follow the room `before`. */
export const supportWindow = z.object({
  before: uuid().optional().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
  limit: listLimit(MAX_SUPPORT_ROOMS),
  user_id: id().optional().meta({ example: 12 }),
  unanswered: flag().optional().meta({ example: true }),
});

export type SupportWindow = z.output<typeof supportWindow>;

/** Whether the other side has read the message. */
const isReadInSupport = (room: SupportRoom, stored: SupportMessage) =>
  stored.id <= (stored.by_staff ? room.user_read_id : room.staff_read_id);

export const showSupportMessage = (room: SupportRoom, stored: SupportMessage, now: string) =>
  showMessage(stored, now, isReadInSupport(room, stored));

export const showSupportItem = (
  room: SupportRoom,
  user: Person,
  last: SupportMessage | undefined,
  now: string,
): z.input<typeof supportListItem> => ({
  uuid: room.uuid,
  user: { id: room.user_id, name: user.name, email: ownEmail(user), phone_number: user.phone_number },
  last_message: last ? showSupportMessage(room, last, now) : null,
});

export const showSupportDetail = (room: SupportRoom, messages: SupportMessage[], now: string) =>
  pickFields(supportDetail, {
    ...room,
    last_message_at: room.last_message_at ?? '',
    messages: messages.map((stored) => showSupportMessage(room, stored, now)),
  });
