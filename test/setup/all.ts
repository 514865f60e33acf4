import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/*
 * `npm test`: lint and types run beside the tests, which wait for servers much of their time. Arguments are jest's.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Resolves with what the script has printed when it failed, else with nothing. */
async function check(script: string): Promise<string> {
  const child = spawn('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => printed.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? '' : `\nnpm run ${script} failed:\n${Buffer.concat(printed).toString()}`;
}

async function jest(): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', 'jest', '--', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

const checks = async () => [await check('lint'), await check('types')].join('');
const [failures, passed] = await Promise.all([checks(), jest()]);
if (failures !== '') console.error(failures);
process.exitCode = passed && failures === '' ? 0 : 1;
