import type { EventData } from '@tutoring/shared/events/catalogue';
import type { Language } from '@tutoring/shared/process/language';
import { inEach } from '@tutoring/shared/language/localized';
import { preview, type Message } from '../messages/message.ts';
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

type Call = EventData<'call.changed'>;

const dataOf = (call: Call) => ({
  channel: call.channel,
  identifier: call.identifier,
  call_type: call.call_type,
  student_id: String(call.student_id),
});

/** `from`: the student's name. */
const aboutCall = (from: string, body: (texts: Texts) => string) =>
  inEach(catalogue, (texts) => ({ title: from || texts.someone, body: body(texts) }));

/** `lifetime`: seconds until the ring times out. */
export const incomingCallNotification = (call: Call, from: string, lifetime: number): Notification => ({
  kind: 'incoming_call',
  texts: aboutCall(from, (texts) => texts.incomingCall[call.call_type]),
  data: dataOf(call),
  lifetime,
});

/** Removes the incoming call from the screen: it was accepted, rejected or canceled. */
export const callOverNotification = (call: Call, from: string, state: keyof Texts['callOver']): Notification => ({
  kind: 'call_over',
  texts: aboutCall(from, (texts) => texts.callOver[state]),
  data: { ...dataOf(call), state },
  lifetime: DAY,
});

/** Replaces the incoming call. Expires one day after the call; `age` is the seconds since then. */
export const missedCallNotification = (call: Call, from: string, age: number): Notification => ({
  kind: 'missed_call',
  texts: aboutCall(from, (texts) => texts.missedCall),
  data: { ...dataOf(call), room_uuid: call.channel },
  lifetime: DAY - age,
});

export const supportNotification = (message: Message): Notification => ({
  kind: 'support',
  texts: inEach(catalogue, (texts) => ({ title: texts.support, body: preview(message, texts) })),
  data: { room_uuid: message.room_uuid, message_id: String(message.id) },
  lifetime: DAY,
});
