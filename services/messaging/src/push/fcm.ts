import type { Message, Messaging } from 'firebase-admin/messaging';
import type { Outcome, PushSender } from './sender.ts';
import type { Push } from './push-store.ts';

/** What of firebase-admin is used. */
export type FcmClient = Pick<Messaging, 'send'>;

const GONE = ['messaging/registration-token-not-registered', 'messaging/invalid-registration-token'];

const isGone = (error: unknown) => GONE.includes((error as { code?: string }).code ?? '');

/** The message of FCM: shown by the system, with the absolute badge, and readable for the app. */
export function fcmMessage(push: Push, unread: number, now = Date.now()): Message {
  const secondsLeft = Math.max(0, Math.floor((Date.parse(push.expires_at) - now) / 1_000));
  const isCall = push.kind === 'incoming_call';
  return {
    token: push.device_key,
    notification: { title: push.title, body: push.body },
    data: { ...push.data, kind: push.kind, unread: String(unread) },
    android: {
      priority: 'high',
      ttl: secondsLeft * 1_000,
      notification: { notificationCount: unread, ...(isCall && { priority: 'max' as const }) },
    },
    apns: {
      headers: { 'apns-priority': '10', 'apns-expiration': String(Math.floor(now / 1_000) + secondsLeft) },
      payload: { aps: { badge: unread, sound: 'default' } },
    },
  };
}

/** Connects to Firebase, a large library that is loaded when the first notification goes out. */
export async function openFcm(serviceAccount: string): Promise<FcmClient> {
  const [{ cert, initializeApp }, { getMessaging }] = await Promise.all([
    import('firebase-admin/app'),
    import('firebase-admin/messaging'),
  ]);
  const account: unknown = serviceAccount.trimStart().startsWith('{') ? JSON.parse(serviceAccount) : serviceAccount;
  return getMessaging(initializeApp({ credential: cert(account as string) }, 'push'));
}

export function createFcmSender(serviceAccount: string, open = openFcm): PushSender {
  let client: Promise<FcmClient> | undefined;
  return async (push, unread): Promise<Outcome> => {
    client ??= open(serviceAccount).catch((error: unknown) => {
      client = undefined;
      throw error;
    });
    try {
      await (await client).send(fcmMessage(push, unread));
      return 'sent';
    } catch (error) {
      if (isGone(error)) return 'gone';
      throw error;
    }
  };
}
