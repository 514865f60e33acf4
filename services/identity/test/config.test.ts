import { describe, expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { testKeys } from '@tutoring/shared/testing/keys';
import { identityConfig } from '../src/config.ts';

const base = {
  PORT: '1',
  PUBLIC_URL: 'https://api.tutoring.test/',
  NATS_URL: 'nats://n',
  ...testKeys('identity'),
  CODE_KEYS: `k1:${'s'.repeat(32)}`,
  DATABASE_URL: 'postgres://d',
  FILES_URL: 's3://files?region=eu-west-3',
  WALLET_URL: 'http://w',
  MESSAGING_URL: 'http://m',
  CALLS_URL: 'http://c',
};
const production = {
  ...base,
  NODE_ENV: 'production',
  CODE_KEYS: `c1:${'c'.repeat(32)}`,
  TOTP_KEYS: `t1:${'t'.repeat(32)}`,
  SMTP_URL: 'smtps://user:pass@mail',
  MAIL_FROM: 'Tutoring <hello@tutoring.test>',
  TWILIO_ACCOUNT_SID: 'a',
  TWILIO_AUTH_TOKEN: 'b',
  TWILIO_FROM: '+15550001111',
};
const parse = (env: Record<string, string>) => parseConfig(identityConfig, env);

describe('configuration', () => {
  test('the defaults are safe', () => {
    expect(parse({ ...base, MAILBOX_FILE: 'x' })).toMatchObject({
      ARGON2_MEMORY_KIB: 19_456,
      ARGON2_PASSES: 2,
      USER_TOKEN_IDLE_DAYS: 180,
      ADMIN_TOKEN_IDLE_HOURS: 12,
      RESET_WITHOUT_TOKEN: true,
    });
    expect(parse(production).PUBLIC_URL).toBe('https://api.tutoring.test');
  });

  test.each<[string, Record<string, string>, string]>([
    ['a local folder for files', { ...production, FILES_URL: 'file:///files' }, 'FILES_URL: is a folder of this'],
    ['the file mailbox', { ...production, MAILBOX_FILE: 'x' }, 'MAILBOX_FILE: is for local use'],
    ['no keys for codes', { ...production, CODE_KEYS: '' }, 'CODE_KEYS: is required'],
    ['no keys for second factors', { ...production, TOTP_KEYS: '' }, 'TOTP_KEYS: is required in production'],
    ['no mail server', { ...production, SMTP_URL: '' }, 'SMTP_URL: is required in production'],
    ['no SMS provider', { ...production, TWILIO_FROM: '' }, 'TWILIO_FROM: is required in production'],
    ['an example sender', { ...production, MAIL_FROM: '' }, 'MAIL_FROM: must be an address of your own'],
    [
      'test numbers with fixed codes',
      { ...production, TWILIO_TEST_NUMBERS: '+2250700000001:123456' },
      'TWILIO_TEST_NUMBERS: must not be set in production',
    ],
    [
      'a factor of send budgets other than 1',
      { ...production, SEND_LIMIT_FACTOR: '2' },
      'SEND_LIMIT_FACTOR: is for benchmarks',
    ],
    [
      'hashes with little memory',
      { ...production, ARGON2_MEMORY_KIB: '64' },
      'ARGON2_MEMORY_KIB: must be at least 19456',
    ],
    ['hashes with few passes', { ...production, ARGON2_PASSES: '1' }, 'ARGON2_PASSES: must be at least 2'],
    [
      'an example password',
      { ...production, ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD: 'password1' },
      'ADMIN_PASSWORD: is an example',
    ],
  ])('production refuses %s', (_name, env, problem) => {
    expect(() => parse(env)).toThrow(problem);
  });

  test.each<[string, Record<string, string>, string]>([
    ['a configuration without mail server and mailbox', base, 'MAILBOX_FILE: is required unless'],
    [
      'a short key for codes',
      { ...base, MAILBOX_FILE: 'x', CODE_KEYS: 'c1:short' },
      'CODE_KEYS: must be kid:secret pairs',
    ],
    [
      'a country name instead of its code',
      { ...base, MAILBOX_FILE: 'x', SMS_COUNTRIES: 'Togo' },
      'SMS_COUNTRIES: must be two-letter',
    ],
    [
      'an incomplete Twilio account',
      { ...base, MAILBOX_FILE: 'x', TWILIO_FROM: '+1555' },
      'TWILIO_FROM: belongs together',
    ],
    [
      'an administrator without a password',
      { ...base, MAILBOX_FILE: 'x', ADMIN_EMAIL: 'a@b.co' },
      'ADMIN_EMAIL: and ADMIN_PASSWORD belong together',
    ],
    [
      'a malformed test number',
      { ...base, MAILBOX_FILE: 'x', TWILIO_TEST_NUMBERS: '12:3' },
      'TWILIO_TEST_NUMBERS: must be +number:code pairs',
    ],
  ])('%s is refused', (_name, env, problem) => {
    expect(() => parse(env)).toThrow(problem);
  });
});
