import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVICES } from '@tutoring/shared/contract/names';
import { infra } from '@tutoring/shared/testing/infra';
import { eventually } from '@tutoring/shared/testing/wait';
import { isListening } from './listening.ts';
import { serverAccount } from '../../deploy/local/account.ts';
import { freePort } from '../../deploy/local/servers.ts';

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  through(url: string): string;
  /** URL for PostgreSQL's superuser, without PgBouncer. */
  adminUrl: string;
  stop(): Promise<void>;
}

/** Connections to PostgreSQL for each database and user. */
const POOL = 5;

/** Starts Debian's PgBouncer in transaction mode in front of the test run's PostgreSQL. */
export async function startPgBouncer(): Promise<PgBouncer> {
  const binary = spawnSync('sh', ['-c', 'command -v pgbouncer'], { encoding: 'utf8' }).stdout.trim();
  if (!binary) throw new Error('this test needs PgBouncer: apt-get install pgbouncer');
  const { databaseUrl, run, password } = infra();
  const { hostname, port: postgresPort } = new URL(databaseUrl);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  const users = SERVICES.map((name) => `"${run}_${name}_service" "${password}"\n`);
  writeFileSync(join(folder, 'users.txt'), users.join(''));
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `* = host=${hostname} port=${postgresPort}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      `default_pool_size = ${POOL}`,
      'max_client_conn = 500',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      '',
    ].join('\n'),
  );
  // PgBouncer refuses to run as root.
  chmodSync(folder, 0o755);
  const { prefix, ...ids } = serverAccount(binary, folder);
  const [command = binary, ...args] = [...prefix, binary, '-q', join(folder, 'pgbouncer.ini')];
  const child = spawn(command, args, { cwd: '/', stdio: 'ignore', ...(prefix.length === 0 && ids) });
  await eventually('PgBouncer listens', () => isListening(port));
  return {
    through: (url) => {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.href;
    },
    adminUrl: databaseUrl,
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
