import type { Language } from '@tutoring/shared/kit/process/language';
import { currentLanguage } from '@tutoring/shared/kit/process/context';
import { truncate, codePointCount } from '@tutoring/shared/kit/language/graphemes';
import { fill } from '@tutoring/shared/kit/language/localized';
import { z } from 'zod';
import { message } from '@tutoring/shared/contract/room';
import { integer, text } from '@tutoring/shared/kit/http/declare/fields';
import { listLimit } from '@tutoring/shared/kit/http/declare/page';
import { invalidField, sentences } from '@tutoring/shared/kit/http/read/validation';
import { sender as senderSchema } from '../people/person.ts';
import { texts, type Texts } from '../texts.ts';
import { timeAgo } from './time-ago.ts';

export { message };
const messageType = message.shape.type;

/** A message as clients see it. */
export type ShownMessage = z.input<typeof message>;

/** A stored message; it never changes. */
export type Message = Omit<ShownMessage, 'time' | 'status' | 'updated_at'>;

export interface UnstoredMessage extends Omit<Message, 'id' | 'created_at'> {
  /** The id that the sender's app gave it. */
  client_message_id: string | null;
}

/** A message to a room that is not stored yet. */
export const unstored = (roomUuid: string, senderId: number, body: NewMessage): UnstoredMessage => ({
  room_uuid: roomUuid.toLowerCase(),
  sender_id: senderId,
  message: body.message ?? '',
  type: body.type,
  message_link: body.message_link ?? null,
  client_message_id: body.client_message_id ?? null,
});

/** A stored message to which the sender's app gave an id. */
export type KnownMessage = Message & { client_message_id: string };

const { id, room_uuid, sender_id: _replaced, ...rest } = message.shape;
export const messageWithSender = z
  .strictObject({ id, room_uuid, sender: senderSchema, ...rest })
  .meta({ id: 'MessageWithSender' });

/**
 * `now` is the database's time; `read`: the recipient has read the message. The keys are in the order of the interface
 * specification.
 */
export const showMessage = (stored: Message, now: string, read: boolean): ShownMessage => ({
  id: stored.id,
  room_uuid: stored.room_uuid,
  sender_id: stored.sender_id,
  message: stored.message,
  time: timeAgo(stored.created_at, now, currentLanguage()),
  status: read ? 'read' : 'unread',
  type: stored.type,
  message_link: stored.message_link,
  created_at: stored.created_at,
  updated_at: stored.created_at,
});

/** The message with an age of zero, in this language. */
export const justSent = (shown: ShownMessage, language: Language): ShownMessage => ({
  ...shown,
  time: timeAgo(shown.created_at, shown.created_at, language),
});

/** Replaces the sender's id by the sender. */
export function withSender(
  { id, room_uuid, sender_id: _replaced, ...rest }: ShownMessage,
  sender: z.input<typeof senderSchema>,
): z.input<typeof messageWithSender> {
  return { id, room_uuid, sender, ...rest };
}

function isWebLink(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '';
}

/** Schema for the reference: one of the two fields is required. */
const requiresField = (field: 'message' | 'message_link', example: string) => ({
  type: 'object',
  properties: { [field]: { type: 'string', example } },
  required: [field],
});

/** The body of every send. `assertLength` checks the length of `message`, which is a setting. */
export const newMessage = z
  .object({
    message: z.string().optional().meta({ example: 'Bonjour' }),
    type: messageType.default('message'),
    message_link: text(2048)
      .refine(isWebLink, { error: () => sentences.url })
      .optional()
      .meta({ example: 'https://files.example.com/exercise.pdf' }),
    client_message_id: text().optional().meta({
      description:
        "The app's own id of this message. A repeat with the same id returns the first message and sends nothing.",
      example: 'b7c1f0de-5521',
    }),
  })
  .meta({
    example: { message: 'Bonjour', type: 'message' },
    allOf: [
      {
        anyOf: [
          requiresField('message', 'Bonjour'),
          requiresField('message_link', 'https://files.example.com/exercise.pdf'),
        ],
      },
    ],
  })
  .refine((body) => typeof body.message === 'string' || typeof body.message_link === 'string', {
    path: ['message'],
    error: () => sentences.required,
    when: ({ value }) => {
      const body = value as { message?: unknown; message_link?: unknown };
      return body.message === undefined && body.message_link === undefined;
    },
  });

export type NewMessage = z.output<typeof newMessage>;

/** Throws invalid when the text has more code points than the setting allows. */
export function assertLength(
  body: Pick<NewMessage, 'message'>,
  { message_max_length: limit }: { message_max_length: number },
): void {
  if (body.message !== undefined && body.message.length > limit && codePointCount(body.message) > limit)
    throw invalidField('message', fill(texts.tooLong, { limit }));
}

/** The text of a message in a notification. */
export function preview(body: Pick<NewMessage, 'message' | 'type'>, wording: Texts): string {
  if (!body.message) return wording.attachment[body.type];
  return shortened(body.message);
}
const PREVIEW_CHARACTERS = 160;

/** The text cut to the length of a notification, with an ellipsis. */
export function shortened(text: string): string {
  const isShort = text.length <= PREVIEW_CHARACTERS || codePointCount(text) <= PREVIEW_CHARACTERS;
  return isShort ? text : `${truncate(text, PREVIEW_CHARACTERS - 1, codePointCount)}…`;
}

const MAX_MESSAGES = 500;

/** The query of message lists. Cursors are message ids, so pages skip no message. */
export const messageWindow = z.object({
  before: integer({ min: 1 }).optional().meta({ description: 'Only messages older than this id.', example: 1043 }),
  after: integer({ min: 0 })
    .optional()
    .meta({ description: 'Only messages newer than this id, the oldest of them first.', example: 1042 }),
  limit: listLimit(MAX_MESSAGES),
});

export type MessageWindow = z.output<typeof messageWindow>;
