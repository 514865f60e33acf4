import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const local = (file: string) => JSON.stringify(new URL(`../../deploy/local/${file}`, import.meta.url).href);
const FIND_PORTS = `
import { freePort } from ${local('ports.ts')};
const ports = [];
while (ports.length < 10) ports.push(await freePort());
console.log(ports.join());
`;

const WAIT_UNTIL_READY = `
import { createServer } from 'node:http';
import { untilAllReady } from ${local('processes.ts')};
const server = createServer((request, response) => response.end()).listen(0, '127.0.0.1', async () => {
  let rounds = 0;
  const check = () => {
    if ((rounds += 1) > 10) throw new Error('is not seen to be ready');
  };
  await untilAllReady([{ name: 'one', url: 'http://127.0.0.1:' + server.address().port }], () => undefined, check);
  process.exit();
});
`;
const run = (program: string, env?: NodeJS.ProcessEnv) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });

// Searches start far apart, so each finds ten free ports before the start of the next one.
test('processes that search free ports at the same time never find the same one', async () => {
  const found = await Promise.all(Array.from({ length: 12 }, () => run(FIND_PORTS)));
  const ports = found.flatMap(({ stdout }) => stdout.trim().split(','));
  expect(new Set(ports).size).toBe(12 * 10);
});

test('the start of the local stack ignores a proxy in the environment', async () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
  expect((await run(WAIT_UNTIL_READY, proxy)).stderr).toBe('');
});
