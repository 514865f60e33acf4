import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const LOOK = `
import { freePort } from ${JSON.stringify(new URL('../../deploy/local/ports.ts', import.meta.url).href)};
const ports = [];
while (ports.length < 30) ports.push(await freePort());
console.log(ports.join());
`;

test('processes that look for free ports at the same time never find the same one', async () => {
  const look = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', LOOK]);
  const found = await Promise.all(Array.from({ length: 12 }, look));
  const ports = found.flatMap(({ stdout }) => stdout.trim().split(','));
  expect(new Set(ports).size).toBe(12 * 30);
});
