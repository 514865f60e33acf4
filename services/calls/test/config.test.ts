import { inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { testKeys } from '@tutoring/shared/testing/keys';
import { callsConfig } from '../src/config.ts';
import { LONGEST_PAID_SECONDS, sharedToken, tokenFor, tokenSeconds } from '../src/provider/rtc.ts';
import { CALLS_ENV } from './scene.ts';

const OWN = {
  CALENDAR_KEYS: `k1:${'c4'.repeat(20)}`,
  AGORA_APP_ID: '9c1f0b7ad2e84d5f8a36c1e7b0d4f259',
  AGORA_APP_CERTIFICATE: '47e2a9d1c6b803f5e7d92a4c1b6f8e03',
  ...testKeys('calls'),
};

const env = (changes: Record<string, string | undefined>) => ({
  ...CALLS_ENV,
  NODE_ENV: 'production',
  PORT: '8080',
  PUBLIC_URL: 'https://tutoring.example',
  NATS_URL: 'nats://127.0.0.1:4222',
  ...OWN,
  DATABASE_URL: 'postgres://calls@127.0.0.1/calls',
  IDENTITY_URL: 'http://identity',
  WALLET_URL: 'http://wallet',
  ...changes,
});

describe('production refuses to start', () => {
  test.each([
    ['without an app id', { AGORA_APP_ID: undefined }, 'AGORA_APP_ID: is required'],
    ['without a certificate', { AGORA_APP_CERTIFICATE: '' }, 'AGORA_APP_CERTIFICATE: is required'],
    ['with an example as app id', { AGORA_APP_ID: CALLS_ENV.AGORA_APP_ID }, 'AGORA_APP_ID: is an example value'],
    [
      'with the app id as certificate',
      { AGORA_APP_CERTIFICATE: OWN.AGORA_APP_ID },
      'AGORA_APP_CERTIFICATE: is the app id',
    ],
    ['with a malformed app id', { AGORA_APP_ID: 'my-app' }, 'AGORA_APP_ID: must be 32 hexadecimal digits'],
    ['without a room namespace', { ROOM_NAMESPACE: undefined }, 'ROOM_NAMESPACE: is required'],
    ['without calendar keys', { CALENDAR_KEYS: undefined }, 'CALENDAR_KEYS: is required'],
    ['with a short calendar key', { CALENDAR_KEYS: 'k1:short' }, 'CALENDAR_KEYS: must be kid:secret pairs'],
    ['with an example as calendar key', { CALENDAR_KEYS: CALLS_ENV.CALENDAR_KEYS }, 'CALENDAR_KEYS: has an example'],
  ])('%s', (_name, changes, problem) => {
    expect(() => parseConfig(callsConfig, env(changes))).toThrow(problem);
  });

  test('unless all values are its own', () => {
    expect(parseConfig(callsConfig, env({}))).toMatchObject({ RTC_UID: '0' });
  });
});

describe('tokens of the provider', () => {
  const { AGORA_APP_ID, AGORA_APP_CERTIFICATE } = CALLS_ENV;
  const credentials = { AGORA_APP_ID, AGORA_APP_CERTIFICATE };
  const call = { channel: '5b0c6a4e-5a0e-4b1e-9a7e-6d5b1f0c2a11', rtc_token: null, rtc_token_expires_at: null };

  test('are the same for both participants by default', () => {
    const parts = { config: { ...credentials, RTC_UID: '0' as const } };
    const rtc_token = sharedToken(parts, call.channel, 60);
    expect([tokenFor(parts, { ...call, rtc_token }, 1), tokenFor(parts, { ...call, rtc_token }, 2)]).toEqual([
      rtc_token,
      rtc_token,
    ]);
  });

  test('differ, without a shared token, when they are bound to users', () => {
    const parts = { config: { ...credentials, RTC_UID: 'user' as const } };
    expect(sharedToken(parts, call.channel, 60)).toBeNull();
    expect(tokenFor(parts, call, 1)).not.toBe(tokenFor(parts, call, 2));
  });

  test.each([
    ['the ring, the paid time and a minute', 45, 600, 705],
    ['a whole number of seconds', 44.2, 0.5, 105],
    ['at most four hours of the call', 45, Infinity, 45 + LONGEST_PAID_SECONDS + 60],
    ['a minute after the ring and without money', -3, -5, 60],
  ])('are valid for %s', (_name, ring, paid, life) => {
    expect(tokenSeconds(ring, paid)).toBe(life);
    expect(life).toBeLessThanOrEqual(24 * 3600);
  });

  test('are AccessToken2 for the channel and uid 0, valid for the requested time', () => {
    const token = sharedToken({ config: { ...credentials, RTC_UID: '0' } }, call.channel, 600) ?? '';
    const packed = inflateSync(Buffer.from(token.slice('007'.length), 'base64'));
    const text = (at: number) => packed.subarray(at + 2, at + 2 + packed.readUInt16LE(at));
    const signature = text(0);
    const appId = text(2 + signature.length);
    const issuedAt = 4 + signature.length + appId.length;
    expect([token.slice(0, 3), appId.toString()]).toEqual(['007', AGORA_APP_ID]);
    expect(packed.readUInt32LE(issuedAt + 4)).toBe(600);
    const channelAt = packed.indexOf(call.channel) - 2;
    expect(text(channelAt + 2 + call.channel.length).toString()).toBe('');
  });
});
