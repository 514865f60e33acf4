import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { testKeys } from '@tutoring/shared/testing/keys';
import { messagingConfig } from '../src/config.ts';
import { NAMESPACE } from './kit.ts';

const minimal = {
  PORT: '0',
  PUBLIC_URL: 'http://public.test',
  NATS_URL: 'nats://127.0.0.1',
  DATABASE_URL: 'postgres://127.0.0.1/messaging',
  ...testKeys('messaging'),
  IDENTITY_URL: 'http://identity.test',
  WALLET_URL: 'http://wallet.test',
  CALLS_URL: 'http://calls.test',
  ROOM_NAMESPACE: NAMESPACE,
  FILES_URL: 's3://files?region=eu-west-3',
};
const FCM_SERVICE_ACCOUNT = JSON.stringify({ project_id: 'p', client_email: 'c@example.com', private_key: 'k' });
const production = { ...minimal, NODE_ENV: 'production', FCM_SERVICE_ACCOUNT };
const parse = (env: Record<string, string>) => parseConfig(messagingConfig, env);

describe('the environment', () => {
  test.each([
    ['the mailbox file in development', { ...minimal, MAILBOX_FILE: '/tmp/outbox.jsonl' }],
    ['FCM in development', { ...minimal, FCM_SERVICE_ACCOUNT }],
    ['FCM in production', production],
  ])('%s is enough', (_name, env) => {
    expect(parse(env).ROOM_NAMESPACE).toBe(NAMESPACE);
  });

  test.each([
    ['a missing push sender', minimal, 'MAILBOX_FILE: is required without FCM_SERVICE_ACCOUNT'],
    [
      'the mailbox file in production',
      { ...production, MAILBOX_FILE: '/tmp/outbox.jsonl' },
      'MAILBOX_FILE: is not for production',
    ],
    [
      'production without FCM',
      { ...production, FCM_SERVICE_ACCOUNT: '' },
      'FCM_SERVICE_ACCOUNT: is required in production',
    ],
    [
      'a published namespace in production',
      { ...production, ROOM_NAMESPACE: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' },
      'ROOM_NAMESPACE: must be a secret uuid',
    ],
    [
      'a local folder for files in production',
      { ...production, FILES_URL: 'file:///files' },
      'FILES_URL: is a folder of this replica',
    ],
    [
      'an invalid FCM account',
      { ...production, FCM_SERVICE_ACCOUNT: '{}' },
      'FCM_SERVICE_ACCOUNT: is neither the JSON of a Google service account',
    ],
    ['a missing file storage', { ...production, FILES_URL: '' }, 'FILES_URL: is required'],
    ['a namespace that is not a uuid', { ...production, ROOM_NAMESPACE: 'rooms' }, 'ROOM_NAMESPACE: Invalid UUID'],
  ])('%s is refused', (_name, env, message) => {
    expect(() => parse(env)).toThrow(message);
  });
});
