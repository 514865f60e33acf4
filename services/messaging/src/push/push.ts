import { mapLanguages } from '@tutoring/shared/kit/language/localized';
import type { Language } from '@tutoring/shared/kit/process/language';
import { preview, type Message } from '../messages/message.ts';
import { catalogue, type Texts } from '../texts.ts';

/** A notification for a person's devices. `data` is for the app; FCM allows only text values in it. */
export interface Notification {
  kind: 'message' | 'support' | 'incoming_call' | 'call_over' | 'missed_call' | 'booking' | 'money';
  /** The text in each language; the recipient's language is chosen. */
  texts: Record<Language, { title: string; body: string }>;
  data: Record<string, string>;
  /** Seconds until the notification expires. */
  lifetime: number;
}

/** The default lifetime of a notification, in seconds. */
export const DAY = 24 * 60 * 60;

const ofMessage = (kind: 'message' | 'support', message: Message, title: (texts: Texts) => string): Notification => ({
  kind,
  texts: mapLanguages(catalogue, (texts) => ({ title: title(texts), body: preview(message, texts) })),
  data: { room_uuid: message.room_uuid, message_id: String(message.id) },
  lifetime: DAY,
});

export const messageNotification = (message: Message, senderName: string | undefined) =>
  ofMessage('message', message, (texts) => senderName || texts.someone);

export const supportNotification = (message: Message) => ofMessage('support', message, (texts) => texts.support);

/** A queued notification for one device. */
export interface Push extends Pick<Notification, 'kind' | 'data'> {
  id: number;
  user_id: number;
  device_key: string;
  language: Language;
  title: string;
  body: string;
  attempts: number;
  created_at: string;
  expires_at: string;
}

/** Seconds until the notification expires: the time to live that the provider gets. */
export const secondsLeft = (push: Pick<Push, 'expires_at'>, now = Date.now()) =>
  Math.max(0, Math.ceil((Date.parse(push.expires_at) - now) / 1_000));

/**
 * Sends one notification to one device. `unread`: the user's unread messages in all rooms at this moment. `gone`: the
 * device can never be reached again. Throws errors after which a retry may succeed.
 */
export type PushSender = (push: Push, unread: number) => Promise<'sent' | 'gone'>;
