import { preview, type NewMessage } from '../messages/message.ts';
import { texts } from '../texts.ts';

export type PushKind = 'message' | 'support' | 'incoming_call' | 'missed_call';

/** What a person's devices are told. `data` is for the app, text values only (FCM's rule). */
export interface Notification {
  kind: PushKind;
  title: string;
  body: string;
  data: Record<string, string>;
  /** Seconds after which telling it makes no sense. */
  lifetime: number;
}

const DAY = 24 * 60 * 60;
/** A call that is not picked up by then has been missed. */
export const RING_SECONDS = 60;

/** Told with the sender's name as its title, where that is known, and the message's id. */
export const messageNotification = (roomUuid: string, body: Pick<NewMessage, 'message' | 'type'>): Notification => ({
  kind: 'message',
  title: texts.someone,
  body: preview(body),
  data: { room_uuid: roomUuid },
  lifetime: DAY,
});

export const missedCallNotification = (roomUuid: string, identifier: string): Notification => ({
  kind: 'missed_call',
  title: texts.someone,
  body: texts.missedCall,
  data: { room_uuid: roomUuid, identifier },
  lifetime: DAY,
});

export const incomingCallNotification = (input: {
  from: string | null;
  channel: string;
  identifier: string;
  callType: 'video' | 'audio';
  studentId: number;
}): Notification => ({
  kind: 'incoming_call',
  title: input.from || texts.someone,
  body: texts.incomingCall[input.callType],
  data: {
    channel: input.channel,
    identifier: input.identifier,
    call_type: input.callType,
    student_id: String(input.studentId),
  },
  lifetime: RING_SECONDS,
});

export const supportNotification = (input: {
  roomUuid: string;
  messageId: number;
  body: Pick<NewMessage, 'message' | 'type'>;
}): Notification => ({
  kind: 'support',
  title: texts.support,
  body: preview(input.body),
  data: { room_uuid: input.roomUuid, message_id: String(input.messageId) },
  lifetime: DAY,
});
