import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createFcmSender, fcmMessage, openFcm, type FcmClient } from '../src/push/sender.ts';
import type { Push } from '../src/push/push.ts';

describe('FCM sender', () => {
  const push: Push = {
    id: 1,
    user_id: 2,
    device_key: 'key',
    kind: 'message',
    language: 'en',
    title: 'Sam',
    body: 'Hello',
    data: { room_uuid: 'r', message_id: '7' },
    attempts: 1,
    created_at: '2026-11-20T12:00:00.000000Z',
    expires_at: '2026-11-20T12:01:00.000000Z',
  };
  const now = Date.parse('2026-11-20T12:00:15.000Z');

  test('the message contains the text, the data for the app, the badge and the expiry', () => {
    expect(fcmMessage(push, 3, now)).toEqual({
      token: 'key',
      notification: { title: 'Sam', body: 'Hello' },
      data: { room_uuid: 'r', message_id: '7', kind: 'message', unread: '3' },
      android: { priority: 'high', ttl: 45_000, notification: { notificationCount: 3 } },
      apns: {
        headers: { 'apns-priority': '10', 'apns-expiration': '1795176060' },
        payload: { aps: { badge: 3, sound: 'default' } },
      },
    });
  });

  const call: Push = { ...push, kind: 'incoming_call', data: { identifier: 'c1' } };

  test('a notification about a call or booking replaces the earlier one about the same call or booking', () => {
    for (const kind of ['incoming_call', 'missed_call'] as const) {
      const { android, apns } = fcmMessage({ ...call, kind }, 0, now);
      expect([android?.collapseKey, android?.notification?.tag]).toEqual(['call-c1', 'call-c1']);
      expect(apns?.headers?.['apns-collapse-id']).toBe('call-c1');
    }
    const booking = fcmMessage({ ...push, kind: 'booking', data: { booking_id: '5' } }, 0, now);
    expect([booking.android?.collapseKey, booking.notification?.title]).toEqual(['booking-5', 'Sam']);
    expect(fcmMessage(call, 0, now).android).toMatchObject({ ttl: 45_000, notification: { priority: 'max' } });
  });

  test('a notification that removes an incoming call shows nothing', () => {
    expect(fcmMessage({ ...call, kind: 'call_over', data: { identifier: 'c1', state: 'canceled' } }, 2, now)).toEqual({
      token: 'key',
      data: { identifier: 'c1', state: 'canceled', kind: 'call_over', unread: '2' },
      android: { priority: 'high', ttl: 45_000, collapseKey: 'call-c1' },
      apns: {
        headers: {
          'apns-priority': '5',
          'apns-push-type': 'background',
          'apns-expiration': '1795176060',
          'apns-collapse-id': 'call-c1',
        },
        payload: { aps: { contentAvailable: true } },
      },
    });
  });

  const failing = (code: string, message: string): FcmClient => ({
    send: () => Promise.reject(Object.assign(new Error(message), { code })),
  });

  test.each([
    ['messaging/registration-token-not-registered', 'Requested entity was not found.'],
    ['messaging/invalid-registration-token', 'The registration token is not valid.'],
    ['messaging/invalid-argument', 'The registration token is not a valid FCM registration token'],
    ['messaging/invalid-argument', 'Request contains an invalid argument.'],
    ['messaging/invalid-argument', 'Invalid value at message.token'],
    ['messaging/mismatched-credential', 'SenderId mismatch'],
  ])('%s (%s) means that the device is gone', async (code, message) => {
    expect(await createFcmSender('{}', async () => failing(code, message))(push, 1)).toBe('gone');
  });

  test.each([
    ['messaging/server-unavailable', 'The service is unavailable.'],
    ['messaging/message-rate-exceeded', 'Too many.'],
    ['messaging/invalid-argument', 'Android message is too big'],
    ['messaging/invalid-argument', 'Invalid value at message.android.ttl'],
    ['messaging/invalid-argument', 'Invalid JSON payload received.'],
    ['messaging/third-party-auth-error', 'Auth error from APNS'],
  ])('%s (%s) is thrown for a retry: the device is not at fault', async (code, message) => {
    await expect(createFcmSender('{}', async () => failing(code, message))(push, 1)).rejects.toThrow(message);
  });

  test('connects once and reuses the client; a failed connection is retried by the next send', async () => {
    let opened = 0;
    const send = createFcmSender('{}', async () => {
      opened += 1;
      if (opened === 1) throw new Error('no network');
      return { send: async () => 'name' };
    });
    await expect(send(push, 1)).rejects.toThrow('no network');
    expect([await send(push, 1), await send(push, 2), opened]).toEqual(['sent', 'sent', 2]);
  });

  test('the real library accepts a service account', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const account = {
      type: 'service_account',
      project_id: 'p',
      client_email: 'a@p.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    expect(typeof (await openFcm(JSON.stringify(account))).send).toBe('function');
  });
});
