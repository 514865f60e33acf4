import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testKeys } from '@tutoring/shared/testing/keys';
import { makeSigningKeys } from '../../deploy/signing-keys.mjs';
import { systemSpecs, type Wiring } from '../../deploy/local/environment.ts';
import { readSettings, SERVICES } from '../../deploy/local/settings.ts';
import { root } from './processes.ts';

/* A compromised process has no database role that can change history: only migrations use the owner of the schema. */

async function localStack() {
  const database = (name: string) => ({ database: name, serviceUrl: `postgres://${name}_service`, ownerUrl: 'OWNER' });
  const wiring: Wiring = {
    settings: await readSettings(root, { PORT: '8080' }),
    secrets: {
      ...makeSigningKeys(),
      CODE_KEYS: 'k1:secret',
      TOTP_KEYS: 'k1:secret',
      SANDBOX_WEBHOOK_SECRET: 'secret',
      AGORA_APP_ID: 'id',
      AGORA_APP_CERTIFICATE: 'certificate',
      ROOM_NAMESPACE: 'namespace',
      CALENDAR_KEYS: 'k1:secret',
      ADMIN_PASSWORD: 'password',
      DATABASE_PASSWORDS: {},
      NATS_PASSWORDS: {},
    },
    natsUrl: () => 'nats://127.0.0.1',
    databases: Object.fromEntries(SERVICES.map((name) => [name, database(name)])),
    ports: { gateway: 1, identity: 2, wallet: 3, messaging: 4, calls: 5 },
  };
  return { wiring, ...systemSpecs(root, wiring) };
}

test("the local stack gives no process the owner's database URL", async () => {
  const { services, gateway } = await localStack();
  for (const { name, env } of services) expect(env['DATABASE_URL']).toBe(`postgres://${name}_service`);
  expect(JSON.stringify([...services, gateway])).not.toContain('OWNER');
});

test('every process gets the time zone data of ICU_TIMEZONE_FILES_DIR, and Node reads it', async () => {
  const settings = await readSettings(root, { PORT: '8080', ICU_TIMEZONE_FILES_DIR: '/zones' });
  const { wiring } = await localStack();
  for (const { env } of systemSpecs(root, { ...wiring, settings }).services)
    expect(env['ICU_TIMEZONE_FILES_DIR']).toBe('/zones');
  const folder = await mkdtemp(join(tmpdir(), 'zones-'));
  const offset = (ICU_TIMEZONE_FILES_DIR: string) =>
    spawnSync(process.execPath, ['-p', `Temporal.Now.zonedDateTimeISO('Africa/Lome').offset`], {
      env: { ICU_TIMEZONE_FILES_DIR },
      encoding: 'utf8',
    });
  try {
    expect(offset('').stdout.trim()).toBe('+00:00');
    // Damaged data makes Node fail, which proves that it reads the folder.
    await writeFile(join(folder, 'zoneinfo64.res'), 'damaged');
    expect(offset(folder).status).not.toBe(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('no process holds the signing key of another', async () => {
  const { wiring, services, gateway } = await localStack();
  for (const { name, env } of [...services, gateway])
    for (const [owner, key] of Object.entries(wiring.secrets.SIGNING_KEYS))
      expect([name, owner, JSON.stringify(env).includes(key)]).toEqual([name, owner, name === owner]);
});

test.each([
  ['MIGRATION_DATABASE_URL', 'postgres://wallet_owner@127.0.0.1:1/wallet'],
  ['MIGRATION_NATS_URL', 'nats://tutoring-operator:password@127.0.0.1:1'],
])("a service refuses to serve with its owner's %s", (name, url) => {
  const env = {
    PORT: '0',
    PUBLIC_URL: 'http://school.test',
    NATS_URL: 'nats://127.0.0.1:1',
    ...testKeys('wallet'),
    IDENTITY_URL: 'http://identity:8080',
    SANDBOX_WEBHOOK_SECRET: 'a secret of sixteen characters',
    DATABASE_URL: 'postgres://wallet_service@127.0.0.1:1/wallet',
    [name]: url,
  };
  const serve = spawnSync(process.execPath, [join(root, 'services/wallet/src/main.ts')], { env, encoding: 'utf8' });
  expect(serve.status).toBe(1);
  expect(serve.stdout).toContain(`${name} is for \`migrate\` alone`);
});
