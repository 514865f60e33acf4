import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { startSystem, type System } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
}, 60_000);
afterAll(async () => {
  await system.stop();
});

test('every command of the tour in README.md works as it stands', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThanOrEqual(4);
  const script = `set -euo pipefail\n${blocks.join('\n')}`;
  const env = { ...process.env, API: `${system.url}/api`, DATA: system.folder };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env });
  const last = stdout.slice(stdout.lastIndexOf('{"success"'));
  expect(JSON.parse(last)).toEqual({
    success: true,
    statusCode: 200,
    data: { balance: 150, available: 150, held: 0, currency: 'XOF' },
  });
}, 60_000);
