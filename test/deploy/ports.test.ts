import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const local = (file: string) => JSON.stringify(new URL(`../../deploy/local/${file}`, import.meta.url).href);
/** Begins its search at the same port as the process PID. */
const FIND_PORTS = `
if (process.env.PID) Object.defineProperty(process, 'pid', { value: Number(process.env.PID) });
const { freePort } = await import(${local('ports.ts')});
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

const HOLD_ONE = `
import { freePort } from ${local('ports.ts')};
console.log(await freePort());
setInterval(() => undefined, 1_000);
`;

test('a port whose server is down is not found by another process until its owner ends', async () => {
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', HOLD_ONE]);
  try {
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const port = String(line).trim();
    const found = async () => (await run(FIND_PORTS, { PID: String(owner.pid) })).stdout.trim().split(',');
    expect(await found()).not.toContain(port);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    expect(await found()).toContain(port);
  } finally {
    owner.kill('SIGKILL');
  }
});

test('the start of the local stack ignores a proxy in the environment', async () => {
  const proxy = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' };
  expect((await run(WAIT_UNTIL_READY, proxy)).stderr).toBe('');
});
