import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadSecrets } from '../../deploy/local/secrets.ts';

test('secrets of an earlier release stay, and what is new is made once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'secrets.json');
    const { CODE_KEYS: _codes, ...earlier } = loadSecrets(file, ['identity_owner']);
    await writeFile(file, JSON.stringify(earlier));
    const upgraded = loadSecrets(file, ['identity_owner']);
    expect(upgraded).toEqual({ ...earlier, CODE_KEYS: expect.stringMatching(/^k1:[\w-]{32,}$/) });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(upgraded);
    expect(loadSecrets(file, ['identity_owner'])).toEqual(upgraded);
  } finally {
    await rm(folder, { recursive: true });
  }
});
