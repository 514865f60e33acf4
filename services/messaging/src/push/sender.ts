import type { Message, Messaging } from 'firebase-admin/messaging';
import { createCache } from '@tutoring/shared/kit/cache';
import { pluralize } from '@tutoring/shared/kit/language/localized';
import { appendToMailbox } from '@tutoring/shared/kit/process/mailbox';
import type { MessagingConfig } from '../config.ts';
import { catalogue } from '../texts.ts';
import { secondsLeft, type Push, type PushSender } from './push.ts';

/** The part of firebase-admin that this service uses. */
export type FcmClient = Pick<Messaging, 'send'>;

/** Error codes for a device that can never be reached: the app is gone, or belongs to another Firebase project. */
const GONE = [
  'messaging/registration-token-not-registered',
  'messaging/invalid-registration-token',
  'messaging/mismatched-credential',
];
const INVALID = 'messaging/invalid-argument';
/** Matches `invalid-argument` errors about the message, not about the device's token. */
const INVALID_MESSAGE = /payload|too (?:big|large)|message\.(?!token)/i;

function isGone(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return GONE.includes(code) || (code === INVALID && !INVALID_MESSAGE.test(message));
}

/** Notifications about one call or booking share a thread: a later one replaces the earlier one on the device. */
function threadOf({ data }: Push): string | undefined {
  if (data['booking_id'] !== undefined) return `booking-${data['booking_id']}`;
  return data['identifier'] === undefined ? undefined : `call-${data['identifier']}`;
}

/**
 * The FCM message: the device shows it, with the absolute badge, and the app can read its data. A notification that
 * removes an incoming call shows nothing and is for the app only.
 */
export function fcmMessage(push: Push, unread: number, now = Date.now()): Message {
  const seconds = secondsLeft(push, now);
  const thread = threadOf(push);
  const android = { priority: 'high' as const, ttl: seconds * 1_000, ...(thread && { collapseKey: thread }) };
  const headers = {
    'apns-expiration': String(Math.floor(now / 1_000) + seconds),
    ...(thread && { 'apns-collapse-id': thread }),
  };
  const common = { token: push.device_key, data: { ...push.data, kind: push.kind, unread: String(unread) } };
  if (push.kind === 'call_over')
    return {
      ...common,
      android,
      apns: {
        headers: { ...headers, 'apns-priority': '5', 'apns-push-type': 'background' },
        payload: { aps: { contentAvailable: true } },
      },
    };
  const loudest = push.kind === 'incoming_call' && { priority: 'max' as const };
  return {
    ...common,
    notification: { title: push.title, body: push.body },
    android: { ...android, notification: { notificationCount: unread, ...loudest, ...(thread && { tag: thread }) } },
    apns: {
      headers: { ...headers, 'apns-priority': '10' },
      payload: { aps: { badge: unread, sound: 'default' } },
    },
  };
}

/** Connects to Firebase. The library is large, so it is loaded only when the first notification is sent. */
export async function openFcm(serviceAccount: string): Promise<FcmClient> {
  const [{ cert, initializeApp }, { getMessaging }] = await Promise.all([
    import('firebase-admin/app'),
    import('firebase-admin/messaging'),
  ]);
  const account: unknown = serviceAccount.trimStart().startsWith('{') ? JSON.parse(serviceAccount) : serviceAccount;
  return getMessaging(initializeApp({ credential: cert(account as string) }, 'push'));
}

export function createFcmSender(serviceAccount: string, open = openFcm): PushSender {
  const client = createCache(() => open(serviceAccount), Infinity);
  return async (push, unread) => {
    try {
      await (await client()).send(fcmMessage(push, unread));
      return 'sent';
    } catch (error) {
      if (isGone(error)) return 'gone';
      throw error;
    }
  };
}

const createMailboxSender =
  (file: string): PushSender =>
  async (push, unread) => {
    const text = `${push.body} ${pluralize(catalogue[push.language].unread, unread, push.language)}`;
    await appendToMailbox(file, {
      channel: 'push',
      to: push.device_key,
      subject: push.title,
      text,
      ttl: secondsLeft(push),
    });
    return 'sent';
  };

/** Returns the FCM sender when there are credentials, else one that writes to the mailbox file. */
export function createPushSender({ FCM_SERVICE_ACCOUNT: account, MAILBOX_FILE: file }: MessagingConfig): PushSender {
  if (account) return createFcmSender(account);
  if (file) return createMailboxSender(file);
  throw new Error('push needs FCM_SERVICE_ACCOUNT or MAILBOX_FILE: set one of them');
}
