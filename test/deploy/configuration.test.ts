import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { testKeys } from '@tutoring/shared/testing/keys';
import { configurationPage } from './configuration-page.ts';
import { withRightsSection } from './rights-page.ts';
import { NAMES, PROCESSES, root, text, type ProcessName } from './processes.ts';

const run = promisify(execFile);

test('docs/configuration.md matches the schemas (npm run docs)', async () => {
  expect(await text('docs/configuration.md')).toBe(await configurationPage());
});

test('"Who may do what" in docs/operations.md matches the rights and roles (npm run docs)', async () => {
  const page = await text('docs/operations.md');
  expect(page).toBe(await withRightsSection(page));
  expect(page).toMatch(/\| `contacts` +\| [^|]+ \| ✓ +\| +\| ✓ +\| +\| +\|/);
});

const ADDRESSES = { IDENTITY_URL: 'http://identity', WALLET_URL: 'http://wallet', MESSAGING_URL: 'http://messaging' };
const GOOD = {
  ...ADDRESSES,
  CALLS_URL: 'http://calls:8080',
  PORT: '8080',
  PUBLIC_URL: 'https://api.school.test/',
  FILES_URL: 's3://files?region=eu-west-3',
  CODE_KEYS: `k:${'a1'.repeat(20)}`,
  MAILBOX_FILE: '/tmp/box',
  SANDBOX_WEBHOOK_SECRET: 'a secret of sixteen',
  ROOM_NAMESPACE: '7f1d2a60-7c5b-4e0a-9a53-0f6a1c2b7d11',
  CALENDAR_KEYS: `k:${'b2'.repeat(20)}`,
  AGORA_APP_ID: 'a'.repeat(32),
  AGORA_APP_CERTIFICATE: 'b'.repeat(32),
};
const environmentOf = (name: ProcessName) => ({
  ...GOOD,
  ...testKeys(name),
  NATS_URL: `nats://tutoring-${name}:secret@nats:4222,other:4222`,
  DATABASE_URL: `postgres://${name}_service:secret@postgres/${name}`,
});
const problemsOf = (name: ProcessName, wrong: Record<string, string>) => {
  try {
    parseConfig(PROCESSES[name], { ...environmentOf(name), ...wrong });
    return [];
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
};

test.each<[ProcessName, Record<string, string>, string]>([
  ['gateway', { PUBLIC_URL: 'localhost:8080' }, 'must be an http:// or https:// URL'],
  ['gateway', { PUBLIC_URL: 'https://school.test/api/' }, 'is without `/api`: addresses have it after this'],
  ['gateway', { CORS_ORIGINS: 'https://a.test,b.test' }, 'must be origins'],
  ...[
    ...['https://a.test/', 'https://a.test,', 'https://A.test', 'https://a.test:443', 'a.test', 'null', 'file://'],
    ...['wss://a.test', 'ftp://a.test', 'capacitor://', 'capacitor://localhost/', 'capacitor:localhost'],
    ...['https://*', 'https://*.test', 'https://a*.example.test', 'https://a.*.test', 'https://*.*.example.test'],
    ...[
      '*://example.test',
      '*.example.test',
      'https://*.0.0.1',
      'https://*.example.test/',
      'https://*.example.test:443',
    ],
  ].map((CORS_ORIGINS): [ProcessName, Record<string, string>, string] => [
    'gateway',
    { CORS_ORIGINS },
    'must be origins',
  ]),
  ['gateway', { KEEP_ALIVE_SECONDS: '0' }, 'must be at least 1, and is "0"'],
  ['gateway', { CALLS_URL: 'calls:8080' }, 'must be an http:// URL'],
  ['gateway', { DASHBOARD_FOLDER: '/nowhere' }, 'does not exist'],
  ['gateway', { API_RATE_LIMIT: 'many' }, 'must be a whole number, and is "many"'],
  ['gateway', { API_RATE_LIMIT: '0' }, 'must be at least 1, and is "0"'],
  ['gateway', { TRUSTED_PROXY_HOPS: '11' }, 'must be at most 10, and is "11"'],
  ['gateway', { NATS_URL: 'nats://' }, 'must be a nats:// or tls:// URL with a host'],
  ['gateway', { NATS_URL: 'nats://a:4222,' }, 'must be a nats:// or tls:// URL with a host'],
  ['identity', { CURRENCY: 'XXY' }, 'must be the ISO 4217 code of a currency, such as XOF'],
  ['identity', { FACEBOOK_APP_ID: '1' }, 'and FACEBOOK_APP_SECRET belong together: set both or neither'],
  ['identity', { FILES_URL: 's3://files' }, 'must be file:///folder or s3://bucket?region='],
  ['wallet', { CURRENCY: 'xof' }, 'must be the ISO 4217 code of a currency, such as XOF'],
  ['wallet', { DATABASE_URL: 'postgres://' }, 'must be a postgres:// URL with a host'],
  ['wallet', { IDENTITY_URL: 'identity:8080' }, 'must be an http:// URL'],
  ['wallet', { DATABASE_POOL: '1.5' }, 'must be a whole number, and is "1.5"'],
  ['messaging', { FCM_SERVICE_ACCOUNT: '/nowhere.json' }, 'is neither the JSON'],
  ['messaging', { FCM_SERVICE_ACCOUNT: '{"project_id":' }, 'is neither the JSON'],
])('%s does not start with %j', (name, wrong, problem) => {
  expect(problemsOf(name, {})).toEqual([]);
  const [[variable]] = Object.entries(wrong) as [[string, string]];
  const [said, ...more] = problemsOf(name, wrong);
  expect(said).toContain(`  ${variable}: ${problem}`);
  expect(more).toEqual([]);
});

test('a missing key of one process is reported with its name', () => {
  const TRUSTED_KEYS = testKeys('calls').TRUSTED_KEYS.replace(/wallet:[^,]+,/, '');
  expect(problemsOf('calls', { TRUSTED_KEYS })).toEqual(['  TRUSTED_KEYS: has no key of wallet']);
});

test('production refuses a test key of Stripe', () => {
  const production = { NODE_ENV: 'production', STRIPE_WEBHOOK_SECRET: 'whsec_x', SANDBOX_WEBHOOK_SECRET: '' };
  const keyed = (STRIPE_SECRET_KEY: string) => problemsOf('wallet', { ...production, STRIPE_SECRET_KEY });
  expect(keyed('sk_test_x')).toEqual(['  STRIPE_SECRET_KEY: is a test key: production takes real money']);
  expect(keyed('sk_live_x')).toEqual([]);
});

function check(name: ProcessName, wrong: Record<string, string>): Promise<string> {
  const cwd = join(root, name === 'gateway' ? name : `services/${name}`);
  const env = { ...environmentOf(name), ...COMPILE_CACHE, ...wrong };
  return run(process.execPath, ['src/main.ts', 'check'], { cwd, env }).then(
    ({ stdout }) => stdout,
    ({ code, stdout }: { code: number; stdout: string }) => `${code} ${(JSON.parse(stdout) as { msg: string }).msg}`,
  );
}

test.each(NAMES)('%s checks its configuration without starting', async (name) => {
  expect(await check(name, {})).toBe(`The configuration of ${name} is right.\n`);
});

test.each<[ProcessName, ProcessName]>([
  ['gateway', 'calls'],
  ['calls', 'wallet'],
])('%s names every wrong variable, and a NATS user of %s', async (name, other) => {
  expect(await check(name, { PUBLIC_URL: 'x', NATS_PREFIX: 'A' })).toMatch(
    /^1 The configuration is wrong:\n {2}PUBLIC_URL: .*\n {2}NATS_PREFIX: /,
  );
  expect(await check(name, { NATS_URL: `nats://tutoring-${other}:secret@nats:4222` })).toBe(
    `1 The configuration is wrong:\n  NATS_URL: has the user of ${other}, not tutoring-${name}`,
  );
});
