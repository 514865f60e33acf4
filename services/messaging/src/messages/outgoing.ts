import type { z } from 'zod';
import type { Notification } from '../push/notification.ts';
import { showMessage, type message, type Message, type NewMessage } from './message.ts';

type Shown = z.input<typeof message>;

/** A message on its way into a room, with everything that is told about it once it has its id and time. */
export interface Outgoing {
  /** The public message, but for its id and times. */
  shown: Shown;
  /** The sender's own id of it. */
  client: string | null;
  /** The sender's name becomes the title where it is known. */
  push: Notification;
  /** Request that the events are told to come from. */
  context: unknown;
}

export type Verdict = 'sent' | 'repeated' | 'not_found' | 'sender_barred' | 'recipient_barred';

/** What became of an Outgoing: id and time of the message when it is (or already was) there. */
export interface Sent {
  verdict: Verdict;
  message_id: number | null;
  sent_at: string | null;
  /** Somebody's devices are to be notified. */
  pushed: boolean;
}

const EPOCH = '1970-01-01T00:00:00.000000Z';

export function outgoing(input: {
  roomUuid: string;
  senderId: number;
  body: NewMessage;
  push: Notification;
  context: unknown;
}): Outgoing {
  const { body, push, context } = input;
  const stored: Message = {
    id: 0,
    room_uuid: input.roomUuid.toLowerCase(),
    sender_id: input.senderId,
    message: body.message ?? '',
    type: body.type,
    message_link: body.message_link ?? null,
    created_at: EPOCH,
  };
  return { shown: showMessage(stored, EPOCH, false), client: body.client_message_id ?? null, push, context };
}

/** The public message of an Outgoing that was sent just now. */
export const showSent = ({ shown }: Outgoing, id: number, sentAt: string): Shown => ({
  ...shown,
  id,
  created_at: sentAt,
  updated_at: sentAt,
});
