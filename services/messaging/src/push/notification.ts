import type { Language } from '@tutoring/shared/process/language';
import { inEach } from '@tutoring/shared/language/localized';
import { preview, type Message, type NewMessage } from '../messages/message.ts';
import { catalogue, type Texts } from '../texts.ts';

export type PushKind = 'message' | 'support' | 'incoming_call' | 'call_over' | 'missed_call' | 'booking';

/** A notification for a person's devices. `data` is for the app; FCM allows only text values in it. */
export interface Notification {
  kind: PushKind;
  /** The text in each language; the recipient's language is chosen. */
  texts: Record<Language, { title: string; body: string }>;
  data: Record<string, string>;
  /** Seconds after which it is no longer worth sending. */
  lifetime: number;
}

const DAY = 24 * 60 * 60;

export const messageNotification = (message: Message, senderName: string | undefined): Notification => ({
  kind: 'message',
  texts: inEach(catalogue, (texts) => ({ title: senderName || texts.someone, body: preview(message, texts) })),
  data: { room_uuid: message.room_uuid, message_id: String(message.id) },
  lifetime: DAY,
});

/** What a notification says about a call. */
interface RungCall {
  /** The student's name. */
  from: string;
  channel: string;
  identifier: string;
  callType: 'video' | 'audio';
  studentId: number;
}

const dataOf = (call: RungCall) => ({
  channel: call.channel,
  identifier: call.identifier,
  call_type: call.callType,
  student_id: String(call.studentId),
});

const aboutCall = (call: RungCall, body: (texts: Texts) => string) =>
  inEach(catalogue, (texts) => ({ title: call.from || texts.someone, body: body(texts) }));

/** `lifetime`: seconds until the ring times out. */
export const incomingCallNotification = (call: RungCall, lifetime: number): Notification => ({
  kind: 'incoming_call',
  texts: aboutCall(call, (texts) => texts.incomingCall[call.callType]),
  data: dataOf(call),
  lifetime,
});

/** Removes the incoming call from the screen: it was accepted, rejected or canceled. */
export const callOverNotification = (call: RungCall, state: keyof Texts['callOver']): Notification => ({
  kind: 'call_over',
  texts: aboutCall(call, (texts) => texts.callOver[state]),
  data: { ...dataOf(call), state },
  lifetime: DAY,
});

/** Replaces the incoming call. Expires one day after the call; `age` is the seconds since then. */
export const missedCallNotification = (call: RungCall, age: number): Notification => ({
  kind: 'missed_call',
  texts: aboutCall(call, (texts) => texts.missedCall),
  data: { ...dataOf(call), room_uuid: call.channel },
  lifetime: DAY - age,
});

export const supportNotification = (input: {
  roomUuid: string;
  messageId: number;
  body: Pick<NewMessage, 'message' | 'type'>;
}): Notification => ({
  kind: 'support',
  texts: inEach(catalogue, (texts) => ({ title: texts.support, body: preview(input.body, texts) })),
  data: { room_uuid: input.roomUuid, message_id: String(input.messageId) },
  lifetime: DAY,
});
