import { spawnSync } from 'node:child_process';
import { UserError } from './user-error.ts';

/** How to start a program that refuses to run as root: a command prefix, and the owner of its files. */
export type Account = { prefix: string[]; uid?: number; gid?: number };

const ACCOUNT = 'postgres';

function idOf(flag: '-u' | '-g'): number | undefined {
  const run = spawnSync('id', [flag, ACCOUNT], { encoding: 'utf8' });
  return run.status === 0 ? Number(run.stdout) : undefined;
}

function findOrCreate(): { uid: number; gid: number } {
  if (idOf('-u') === undefined) {
    spawnSync('groupadd', ['--system', ACCOUNT]);
    spawnSync('useradd', ['--system', '--no-create-home', '-g', ACCOUNT, ACCOUNT]);
  }
  const uid = idOf('-u');
  const gid = idOf('-g');
  if (uid !== undefined && gid !== undefined) return { uid, gid };
  throw new UserError(
    `PostgreSQL does not run as root, and the account "${ACCOUNT}" could not be created. ` +
      'Start as another user, create that account, or set DATABASE_URL.',
  );
}

/**
 * Command prefix that runs a program as the account, with the capability to enter and read closed folders. The
 * securebit makes `access()` honour the capability, too.
 */
function capabilityPrefix(uid: number, gid: number): string[] {
  const identity = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const capability = [
    '--securebits=+no_setuid_fixup',
    '--inh-caps=+dac_read_search',
    '--ambient-caps=+dac_read_search',
  ];
  return ['setpriv', ...identity, ...capability];
}

/**
 * The account that runs PostgreSQL: the caller's own, or `postgres` if the caller is root. If that account may not
 * enter the folders (a clone under /root), setpriv gives it the right; throws UserError if that is impossible.
 */
export function serverAccount(binary: string, folder: string): Account {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const { uid, gid } = findOrCreate();
  const check = ['/bin/sh', '-c', '[ -x "$1" ] && cd "$2"', 'check', binary, folder];
  const succeeds = ([command = '', ...args]: string[], ids: { uid?: number; gid?: number }) =>
    spawnSync(command, args, { cwd: '/', stdio: 'ignore', ...ids }).status === 0;
  if (succeeds(check, { uid, gid })) return { prefix: [], uid, gid };
  const prefix = capabilityPrefix(uid, gid);
  if (succeeds([...prefix, ...check], {})) return { prefix, uid, gid };
  throw new UserError(
    `PostgreSQL does not run as root, and the account "${ACCOUNT}" may not enter ${folder} or the folder of this clone. ` +
      'Move the clone, open its parent folders (chmod o+x), start as another user, or set DATABASE_URL.',
  );
}
