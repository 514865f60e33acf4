import type { Language } from '@tutoring/shared/language';
import type { PushKind } from './notification.ts';

/** One notification on its way to one device. */
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

/** Seconds for which the notification still makes sense: what the provider may keep it for. */
export const secondsLeft = (push: Pick<Push, 'expires_at'>, now = Date.now()) =>
  Math.max(0, Math.ceil((Date.parse(push.expires_at) - now) / 1_000));

/** `gone`: the device will never be reached again. Anything that is worth another try is thrown. */
export type Outcome = 'sent' | 'gone';

/** Takes one notification to one device; `unread` is the user's whole number of unread messages at this moment. */
export type PushSender = (push: Push, unread: number) => Promise<Outcome>;
