import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SERVICES } from '@tutoring/shared/process/names';
import { signerOf } from '@tutoring/shared/testing/keys';
import { loadSecrets } from '../../deploy/local/secrets.ts';

test('secrets stay, and what a release adds is made once', async () => {
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
