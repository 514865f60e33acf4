import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSystem, type System } from './system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(async () => {
  await system.stop();
});

test('the tour in README.md and the example of the client work as they stand', async () => {
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

  const example = fileURLToPath(new URL('../../shared/client/example/lesson.ts', import.meta.url));
  const client = await promisify(execFile)(process.execPath, [example, system.url]);
  expect(client.stdout.split('\n')).toEqual([
    'Awa has 9850 to spend.',
    expect.stringMatching(/^Kossi hears it ring on channel [0-9a-f-]{36}\.$/),
    'Kossi is there: the meter runs.',
    'Step 1 is charged: 75 so far.',
    expect.stringMatching(/^The lesson took \d+ s and cost 75\.$/),
    '',
  ]);
});
