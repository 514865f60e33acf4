import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/contract/names';
import { signerOf } from '@tutoring/shared/testing/keys';
import { storeChosenPassword, loadSecrets } from '../../deploy/local/secrets.ts';
import { root } from './processes.ts';

test('existing secrets are kept, and secrets that a release adds are generated once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    const {
      SIGNING_KEYS: _signing,
      TRUSTED_KEYS: _trusted,
      NATS_PASSWORDS: _passwords,
      ...earlier
    } = loadSecrets(file, ['identity_owner'], ['gateway']);
    await writeFile(file, JSON.stringify(earlier));
    const upgraded = loadSecrets(file, ['identity_owner'], ['gateway']);
    const { SIGNING_KEYS, TRUSTED_KEYS, ...others } = upgraded;
    expect(others).toEqual({
      ...earlier,
      NATS_PASSWORDS: { gateway: expect.stringMatching(/^p[0-9a-f]{48}$/) },
    });
    for (const name of [...SERVICES, 'gateway'] as const)
      expect(() => signerOf(name, () => ({ SIGNING_KEY: SIGNING_KEYS[name]!, TRUSTED_KEYS }))).not.toThrow();
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(upgraded);
    expect(loadSecrets(file, ['identity_owner'], ['gateway'])).toEqual(upgraded);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('calendar links of an earlier release still work, and new links use a separate key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const load = (file: string) => loadSecrets(join(folder, file), [], []);
    const created = load('fresh.json');
    expect(created.CALENDAR_KEYS).toMatch(/^k1:[\w-]{43}$/);
    const { CALENDAR_KEYS: _keys, ...earlier } = created;
    await writeFile(join(folder, 'earlier.json'), JSON.stringify(earlier));
    const upgraded = new RegExp(`^(CALENDAR_KEYS=)?k1:[\\w-]{43,64},rooms:${created.ROOM_NAMESPACE}$`, 'm');
    expect(load('earlier.json').CALENDAR_KEYS).toMatch(upgraded);
    await writeFile(join(folder, '.env'), `ROOM_NAMESPACE=${created.ROOM_NAMESPACE}\n`);
    await promisify(execFile)(process.execPath, ['deploy/compose/make-env.mjs', join(folder, '.env')], { cwd: root });
    expect(await readFile(join(folder, '.env'), 'utf8')).toMatch(upgraded);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('later starts show the password with which the first administrator was created', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    const start = (chosen?: string) => loadSecrets(file, ['identity_owner'], ['gateway'], chosen);
    // Identity refuses this password, so no administrator was created with it.
    start('short');
    storeChosenPassword(file, start('chosen at the first start'), 'chosen at the first start');
    expect(start().ADMIN_PASSWORD).toBe('chosen at the first start');
    storeChosenPassword(file, start('chosen too late'), 'chosen too late');
    expect(start().ADMIN_PASSWORD).toBe('chosen at the first start');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('without a chosen password one is generated once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    // Identity refuses this password, so no administrator was created with it.
    loadSecrets(file, ['identity_owner'], ['gateway'], 'short');
    const { ADMIN_PASSWORD: generated } = loadSecrets(file, ['identity_owner'], ['gateway']);
    expect(generated).toMatch(/^.{16}-7aA$/);
    const later = loadSecrets(file, ['identity_owner'], ['gateway'], 'chosen too late');
    storeChosenPassword(file, later, 'chosen too late');
    expect(loadSecrets(file, ['identity_owner'], ['gateway']).ADMIN_PASSWORD).toBe(generated);
  } finally {
    await rm(folder, { recursive: true });
  }
});
