import type { Language } from '@tutoring/shared/process/language';
import type { PushKind } from './notification.ts';

/** A queued notification for one device. */
export interface Push {
  id: number;
  user_id: number;
  device_key: string;
  kind: PushKind;
  language: Language;
  title: string;
  body: string;
  data: Record<string, string>;
  attempts: number;
  created_at: string;
  expires_at: string;
}

/** Seconds until the notification expires: how long the provider may store it. */
export const secondsLeft = (push: Pick<Push, 'expires_at'>, now = Date.now()) =>
  Math.max(0, Math.ceil((Date.parse(push.expires_at) - now) / 1_000));

/** `gone`: the device can never be reached again. Errors that are worth a retry are thrown. */
export type Outcome = 'sent' | 'gone';

/** Sends one notification to one device. `unread`: the user's unread messages in all rooms at this moment. */
export type PushSender = (push: Push, unread: number) => Promise<Outcome>;
