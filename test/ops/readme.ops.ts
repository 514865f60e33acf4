import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../deploy/local/servers.ts';
import { root, text } from '../deploy/processes.ts';

/* Runs the commands of README.md in a copy in which only `npm start` was run, which installs a third of the packages. */

/** Commands that CI runs separately, or that need an hour or Docker. Their scripts install missing packages. */
const ELSEWHERE = [
  'npm start',
  'npm test',
  'npm run check',
  'npm run format',
  'npm run test:slow',
  'npm run test:full',
  'npm run test:dashboard',
  'npm run screenshots',
  'npm run test:cluster',
  'npm run test:chaos',
  'npm run test:compose',
  'npm run dev -w dashboard',
  'npm run build',
  'npm run -s types',
  'npm run -s jest -- services/identity/test/administration.test.ts -t plans',
  'npm run -s jest -- services/identity/test/administration.test.ts test/deploy/events.test.ts',
];

/** Replacements for commands that need arguments, and for long ones. */
const REPLACEMENTS: Record<string, string> = {
  'npm run events': 'npm run events -- identity resync user.changed --consumer messaging',
  'npm run jest -- services/wallet': 'npm run jest -- services/wallet/test/rules',
  'npm run bench -- gateway': 'npm run bench',
};

let copy: string;
let stack: ChildProcess;
let url: string;
const env = (own: NodeJS.ProcessEnv = {}) => ({
  // Without the variables that npm and jest have set for this process.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_|JEST_)/i.test(name))),
  ...own,
});
const sh = (command: string, own: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], { cwd: copy, env: env(own), maxBuffer: 2 ** 26 });

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'copy-'));
  await sh(`tar -C '${root}' --exclude-vcs --exclude=node_modules --exclude=.data -c . | tar -x`);
  stack = spawn('npm', ['start'], { cwd: copy, env: env({ PORT: String(await freePort()) }), detached: true });
  let log = '';
  url = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      log += String(data);
      const [, ready] = /Ready: (http\S+)/.exec(log) ?? [];
      if (ready) resolve(ready);
    };
    stack.stdout!.on('data', read);
    stack.stderr!.on('data', read);
    stack.once('exit', (code) => reject(new Error(`npm start exited with ${code}:\n${log}`)));
  });
});
afterAll(async () => {
  if (stack.exitCode === null) {
    process.kill(-stack.pid!, 'SIGINT');
    await once(stack, 'exit');
  }
  await rm(copy, { recursive: true, force: true });
});

test('every command of README.md works in a copy in which only `npm start` was run', async () => {
  const readme = await text('README.md');
  const pages = [readme, await text('docs/app-developers.md'), await text('docs/contributing.md')].join('\n');
  const tour = [...readme.matchAll(/^```bash\n(.*?)^```/gms)].map(([, block]) => block).join('\n');
  await sh(tour, { API: `${url}/api` });
  const named = [...pages.matchAll(/`(npm (?:run|pack|start|test)\b[^`]*)`/g)].map(([, command]) => command!);
  const commands = [...new Set(named)].filter((command) => !ELSEWHERE.includes(command));
  expect(commands).toEqual(
    expect.arrayContaining(['npm run example -w shared/client', 'npm pack -w shared/client', 'npm run docs']),
  );
  for (const command of commands) {
    // The stack does not use its default port here.
    const complete = /run (example|generate)/.test(command)
      ? `${command} -- ${url}`
      : (REPLACEMENTS[command] ?? command);
    await sh(complete);
  }
});
