import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { buildDashboard } from '../../deploy/local/dashboard.ts';

test.each([
  ['a build that ends well', 'process.exit(0)', true],
  ['a build that fails does not fail the start', 'process.exit(1)', false],
  ['nor does one that is killed', `process.kill(process.pid, 'SIGKILL')`, false],
])('%s', async (_name, script, isBuilt) => {
  const folder = await mkdtemp(join(tmpdir(), 'dashboard-build-'));
  try {
    await writeFile(join(folder, 'build.mjs'), script);
    expect(await buildDashboard(join(folder, 'build.mjs'))).toBe(isBuilt);
  } finally {
    await rm(folder, { recursive: true });
  }
});
