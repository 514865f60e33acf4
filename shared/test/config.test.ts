import { expect, test } from '@jest/globals';
import { serviceConfig } from '../contract/config.ts';
import { ConfigError, parseConfig } from '../kit/process/config.ts';
import { testKeys } from '../testing/keys.ts';

const good = {
  PORT: '0',
  PUBLIC_URL: 'http://127.0.0.1:8080/',
  NATS_URL: 'nats://127.0.0.1:4222',
  ...testKeys('wallet'),
  DATABASE_URL: 'postgres://u:p@127.0.0.1/wallet',
};

test('the configuration is read from the environment, with defaults for empty and absent variables', () => {
  expect(parseConfig(serviceConfig, { ...good, LOG_LEVEL: '', HOME: '/root' })).toMatchObject({
    PORT: 0,
    LOG_LEVEL: 'info',
    PUBLIC_URL: 'http://127.0.0.1:8080',
  });
});

test('an error of the configuration names every problem', () => {
  const wrong = { ...good, PORT: 'x', DATABASE_URL: 'mysql://x', NATS_URL: undefined };
  let message = '';
  try {
    parseConfig(serviceConfig, wrong);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(message).toContain('  PORT: ');
  expect(message).toContain('  NATS_URL: is required');
  expect(message).toContain('  DATABASE_URL: must be a postgres:// URL');
});
