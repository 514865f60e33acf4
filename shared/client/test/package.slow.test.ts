import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const BINARIES = join(ROOT, 'node_modules/.bin');
const run = (command: string, args: string[], cwd: string) =>
  promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, PATH: `${BINARIES}${delimiter}${process.env['PATH']}` },
  });

/** Typed and run in a project outside of the repository. */
const USE = `
import { createTutoringClient, payload, TutoringError, type paths } from '@tutoring/client';
import { idempotentPaths } from '@tutoring/client/schema';
async function main(): Promise<void> {
  const client = createTutoringClient({ baseUrl: process.argv[2]! });
  // @ts-expect-error the body is missing
  void (() => client.POST('/api/call/init'));
  const deposits = payload(await client.GET('/api/deposits'));
  const amounts: number[] = deposits.map(({ amount }) => amount);
  const known: (keyof paths)[] = idempotentPaths;
  const refusal = await client.POST('/api/deposits', { body: { amount: 500 } }).then(payload).catch((error: unknown) => error);
  console.log(JSON.stringify([amounts, known.includes('/api/deposits'), refusal instanceof TutoringError && refusal.status]));
}
void main();
`;

let project: string;
let server: Server;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'client-package-'));
  const needed = ['shared/client', 'node_modules/openapi-fetch', 'node_modules/openapi-typescript-helpers'];
  for (const folder of needed) {
    const scripts = folder.startsWith('node_modules') ? ['--ignore-scripts'] : [];
    await run('npm', ['pack', ...scripts, '--pack-destination', project], join(ROOT, folder));
  }
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  await run('sh', ['-c', 'npm install --offline --no-audit --no-fund ./*.tgz'], project);
  server = createServer((request, response) => {
    const isRead = request.method === 'GET';
    const body = isRead
      ? { success: true, data: [{ amount: 7 }] }
      : { success: false, statusCode: 402, message: 'No.' };
    request.resume();
    response.writeHead(isRead ? 200 : 402, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  await rm(project, { recursive: true, force: true });
});

test.each(['esm.mts', 'cjs.cts'])('the packed client works outside of the repository: %s', async (file) => {
  await writeFile(join(project, file), USE);
  const options = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--strict', '--skipLibCheck'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  await run('tsc', [...options, ...types, file], project);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { stdout } = await run(process.execPath, [file.replace(/ts$/, 'js'), url], project);
  expect(JSON.parse(stdout)).toEqual([[7], true, 402]);
});
