import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverAccount } from './account.ts';
import { createCluster, postgresBinaries, revokePublicAccess } from './cluster.ts';
import { end, guard, type Exit } from './guard.ts';
import { endLeftover } from './leftover.ts';
import { stopWhenItCannotWrite } from './nats-health.ts';
import { freePort } from './ports.ts';
import { loadOrCreateSecret } from './secrets.ts';
import { UserError } from './user-error.ts';

export { freePort } from './ports.ts';
export { provision } from './provision.ts';

export type ServerOptions = {
  /** Folder of the server's data, which the next start uses again. */
  dataDir: string;
  /** A free port if undefined. */
  port?: number | undefined;
  /** False turns off fsync for speed: only for tests. */
  durable: boolean;
  log: (line: string) => void;
};

export type Server = {
  /** Contains the superuser's password (PostgreSQL) or the token (NATS without users). */
  url: string;
  port: number;
  exited: Promise<Exit>;
  lastLines: () => string[];
  stop: () => Promise<void>;
};

const START_TIMEOUT_MS = 60_000;
const PORT_TAKEN = /address already in use/i;

const SAFE = {
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_line_prefix: '%m [%p] ',
};
const FAST = {
  // Tests open connections in addition to the pools of the services.
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

function prepareFolder(folder: string): string {
  const path = resolve(folder);
  mkdirSync(path, { recursive: true });
  return path;
}

/**
 * Opens a new log file and keeps the previous one. Servers write to a file instead of a pipe, so that they do not
 * depend on the process that started them.
 */
function openLog(file: string): number {
  if (existsSync(file)) renameSync(file, `${file}.1`);
  return openSync(file, 'w', 0o600);
}

function tailOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20) : [];
}

/** Polls until `ready` returns a value. Throws with the end of the log if the server exits or needs over a minute. */
async function untilReady<T>(
  name: string,
  exited: Promise<Exit>,
  logFile: string,
  ready: () => T | undefined,
): Promise<T> {
  const state = { gone: false };
  void exited.then(() => (state.gone = true));
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!state.gone && Date.now() < deadline) {
    const answer = ready();
    if (answer !== undefined) return answer;
    await sleep(20);
  }
  throw new Error(`${name} did not start. The end of ${logFile}:\n${tailOf(logFile).join('\n')}`);
}

/** True when the pid file of the postmaster says that it accepts connections. */
function postmasterIsReady(child: ChildProcess, cluster: string): true | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines[0] === String(child.pid) && lines[7]?.trim() === 'ready' ? true : undefined;
}

async function runPostgres(dataDir: string, port: number, options: ServerOptions): Promise<Omit<Server, 'url'>> {
  const { postgres } = await postgresBinaries();
  const cluster = join(dataDir, 'data');
  const account = serverAccount(postgres, dataDir);
  if (!existsSync(cluster))
    await createCluster({ dataDir, cluster, account, durable: options.durable, log: options.log });
  await endLeftover(join(cluster, 'postmaster.pid'), cluster, options.log);
  const flags = Object.entries({ ...SAFE, ...(options.durable ? {} : FAST) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const [command = postgres, ...args] = [...account.prefix, postgres, '-D', cluster, '-p', String(port), ...flags];
  const logFile = join(dataDir, 'postgres.log');
  const output = openLog(logFile);
  const ids = account.prefix.length === 0 && account.uid !== undefined ? { uid: account.uid, gid: account.gid } : {};
  const child = spawn(command, args, {
    cwd: '/',
    env: { LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', output, output],
    detached: true,
    ...ids,
  });
  closeSync(output);
  const exited = guard(child, 'server');
  const stop = () =>
    end(child, exited, [
      ['SIGINT', 20_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 5_000],
    ]);
  try {
    await untilReady('PostgreSQL', exited, logFile, () => postmasterIsReady(child, cluster));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, exited, stop, lastLines: () => tailOf(logFile) };
}

/** Runs `start` on the requested port, or on a free one. Tries another free port if that one was taken meanwhile. */
async function onPort<T>(name: string, requested: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const port = requested ?? (await freePort());
    try {
      return await start(port);
    } catch (error) {
      const taken = error instanceof Error && PORT_TAKEN.test(error.message);
      if (taken && requested !== undefined)
        throw new UserError(`${name} cannot listen: port ${port} is in use by another program.`);
      if (!taken || attempt === 3) throw error;
    }
  }
}

/** Starts an embedded PostgreSQL on 127.0.0.1 without writing to it: its data folder may be that of a standby. */
export async function startStandby(options: ServerOptions): Promise<Server> {
  const dataDir = prepareFolder(options.dataDir);
  const password = loadOrCreateSecret(join(dataDir, 'password'));
  const server = await onPort('PostgreSQL', options.port, (port) => runPostgres(dataDir, port, options));
  return { ...server, url: `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres` };
}

/** Starts an embedded PostgreSQL on 127.0.0.1. Throws UserError if this machine cannot run it. */
export async function startPostgres(options: ServerOptions): Promise<Server> {
  const server = await startStandby(options);
  await revokePublicAccess(server.url);
  return server;
}

/** Path of the nats-server for this machine. Throws UserError if there is none. */
export function natsBinary(): string {
  const name = `nats-server${process.platform === 'win32' ? '.exe' : ''}`;
  const packaged = resolve(
    import.meta.dirname,
    '../../node_modules/@eplightning',
    `nats-server-${process.platform}-${process.arch}`,
    'bin',
    name,
  );
  if (existsSync(packaged)) {
    if ((statSync(packaged).mode & 0o555) !== 0o555) chmodSync(packaged, 0o755);
    return packaged;
  }
  if (spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) return name;
  throw new UserError(
    `There is no nats-server for ${process.platform}-${process.arch}: install one on PATH, or set NATS_URL.`,
  );
}

/** By default NATS takes three quarters of the free disk, and refuses streams whose limits exceed that. */
const NO_LIMIT = 2 ** 50;

/** `maxStore`: limit for all streams together in bytes; without it only the limit of each stream applies. */
type NatsOptions = Omit<ServerOptions, 'durable'> & {
  maxStore?: number;
  /** Passwords by user name. Without them a single token has all rights: only for tests and benchmarks. */
  passwords?: Record<string, string>;
  /** Paths of a certificate and its key; the server then accepts only TLS. */
  tls?: { cert: string; key: string };
};

const NATS_USERS = resolve(import.meta.dirname, '../compose/nats-users.conf');
const passwordVariable = (user: string) => `NATS_${user.toUpperCase()}_PASSWORD`;

/** URL with which a user connects to the embedded NATS. */
export const natsUrlOf = (user: string, { port, passwords }: { port: number; passwords: Record<string, string> }) =>
  `nats://tutoring-${user}:${passwords[user]}@127.0.0.1:${port}`;

function natsConfig(port: number, token: string, options: NatsOptions): string {
  const { dataDir, maxStore = NO_LIMIT, passwords, tls } = options;
  const text = (file: string) => JSON.stringify(join(dataDir, file));
  const store = `store_dir: ${text('store')}, max_file_store: ${maxStore}`;
  return [
    `listen: "127.0.0.1:${port}"`,
    'http: "127.0.0.1:-1"',
    'server_name: local',
    `pid_file: ${text('nats.pid')}`,
    `ports_file_dir: ${text('ports')}`,
    passwords ? 'include "nats-users.conf"' : `authorization { token: "${token}" }`,
    `jetstream { ${store} }`,
    tls ? `tls { cert_file: ${JSON.stringify(tls.cert)}, key_file: ${JSON.stringify(tls.key)} }` : '',
    '',
  ].join('\n');
}

/** The monitoring URL of NATS; undefined until NATS has written its ports file. */
function monitorOf(ports: string, { pid }: ChildProcess): string | undefined {
  const name = readdirSync(ports).find((file) => file.endsWith(`_${pid}.ports`));
  const written = name === undefined ? '' : readFileSync(join(ports, name), 'utf8');
  return /"monitoring":\["([^"]+)"\]/.exec(written)?.[1];
}

async function runNats(port: number, token: string, options: NatsOptions): Promise<Server> {
  const { dataDir } = options;
  const config = join(dataDir, 'nats.conf');
  const ports = join(dataDir, 'ports');
  const logFile = join(dataDir, 'nats.log');
  await endLeftover(join(dataDir, 'nats.pid'), config, options.log);
  rmSync(ports, { recursive: true, force: true });
  mkdirSync(ports);
  writeFileSync(config, natsConfig(port, token, options), { mode: 0o600 });
  const output = openLog(logFile);
  if (options.passwords) writeFileSync(join(dataDir, 'nats-users.conf'), readFileSync(NATS_USERS), { mode: 0o600 });
  const passwords = Object.entries(options.passwords ?? {}).map(
    ([user, password]) => [passwordVariable(user), password] as const,
  );
  const child = spawn(natsBinary(), ['-c', config], {
    env: { ...process.env, ...Object.fromEntries(passwords) },
    stdio: ['ignore', output, output],
    detached: true,
  });
  closeSync(output);
  const exited = guard(child, 'server');
  const stop = () =>
    end(child, exited, [
      ['SIGTERM', 10_000],
      ['SIGKILL', 5_000],
    ]);
  try {
    const monitor = await untilReady('NATS', exited, logFile, () => monitorOf(ports, child));
    stopWhenItCannotWrite(monitor, exited, stop);
  } catch (error) {
    await stop();
    throw error;
  }
  const address = `127.0.0.1:${port}`;
  const url = options.passwords ? `nats://${address}` : `nats://${token}@${address}`;
  return { url, port, exited, stop, lastLines: () => tailOf(logFile) };
}

/** Starts an embedded NATS server with JetStream on 127.0.0.1. Throws UserError if this machine cannot run it. */
export async function startNats(options: NatsOptions): Promise<Server> {
  const dataDir = prepareFolder(options.dataDir);
  const token = options.passwords ? '' : loadOrCreateSecret(join(dataDir, 'token'));
  return onPort('NATS', options.port, (port) => runNats(port, token, { ...options, dataDir }));
}
