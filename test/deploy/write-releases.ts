import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { RELEASES_FILE, runtimeDependencies } from './releases.ts';

/* `npm run releases` asks the registry when each runtime dependency was released last. */

async function lastRelease(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'time', '--json'], {
    maxBuffer: 32 * 1024 * 1024,
  });
  const { created: _created, modified: _modified, ...versions } = JSON.parse(stdout) as Record<string, string>;
  const [last] = Object.values(versions).sort().slice(-1);
  if (last === undefined) throw new Error(`the registry knows no release of ${name}`);
  return last.slice(0, 10);
}

const releases: Record<string, string> = {};
for (const name of await runtimeDependencies()) releases[name] = await lastRelease(name);
await writeFile(RELEASES_FILE, `${JSON.stringify(releases, null, 2)}\n`);
