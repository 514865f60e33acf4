import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { columnTypes } from '@tutoring/shared/kit/database/connection';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { PROCESSES, SERVICES, type ProcessName, type ServiceName } from '@tutoring/shared/contract/names';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { cloneDatabase, infra, type TestDatabase } from '@tutoring/shared/testing/infra';
import { testKeys } from '@tutoring/shared/testing/keys';
import { newPrefix, TEST_STREAMS } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import pg from 'pg';
import { guard } from '../../deploy/local/guard.ts';
import { freePort } from '../../deploy/local/servers.ts';
import { SECRETS, RELAXED_LIMITS } from '../journeys/system.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { entryOf } from './entry.ts';

interface Replica {
  child: ChildProcess;
  port: number;
}

export interface Deployment {
  url: string;
  /** The newest verification code that was sent to an address. */
  codeFor(address: string): Promise<string>;
  /** Runs SQL on a service's database, as the owner of the schema. */
  sql(service: ServiceName, statement: string): Promise<Record<string, unknown>[]>;
  /** Runs the migrations of a checkout, as the owner of the schema. */
  migrate(root: string): Promise<void>;
  /** Prefix of subjects, streams and durable consumers. */
  prefix: string;
  /** Replaces the replicas one after another. Returns their exit codes. */
  roll(name: ProcessName): Promise<(number | null)[]>;
  /** Kills the oldest replica with SIGKILL and starts a new one. */
  replaceKilled(name: ProcessName): Promise<void>;
  stop(): Promise<void>;
}

const REPOSITORY = resolve(import.meta.dirname, '../..');

/** The environment of a deployment; by default the servers of the test run. */
export interface Surroundings {
  /** Of subjects, streams and durable consumers; a new one by default. */
  prefix?: string;
  databaseOf?: (name: ServiceName) => Promise<TestDatabase>;
  env?: Record<string, string>;
  /** Environment of single processes, which overrides `env`; called at each start. */
  envOf?: (name: ProcessName) => Record<string, string>;
  /** The checkout whose sources run; called at each start. */
  root?: () => string;
  /** A stopping replica is not removed from its balancer first: in Kubernetes the signal may come before that. */
  removesLate?: boolean;
}

/** Runs SQL on a new connection: a pooled one may lead to a server that no longer answers. */
async function sqlOnNewConnection(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, types: columnTypes });
  // The statement rejects when its connection ends.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Starts the system behind balancers, like Kubernetes: `replicasOfEach` replicas of each process. */
export async function deploy(replicasOfEach: number, surroundings: Surroundings = {}): Promise<Deployment> {
  const {
    databaseOf = cloneDatabase,
    env: extra = {},
    envOf,
    root = () => REPOSITORY,
    removesLate = false,
    prefix = newPrefix(),
  } = surroundings;
  const folder = await mkdtemp(join(tmpdir(), 'ops-'));
  const databases = new Map<ServiceName, TestDatabase>();
  const balancers = new Map<ProcessName, Balancer>();
  const replicas = new Map<ProcessName, Replica[]>();
  const children: ChildProcess[] = [];
  for (const name of SERVICES) databases.set(name, await databaseOf(name));
  for (const name of PROCESSES) balancers.set(name, await startBalancer());
  const address = (name: ProcessName) => balancers.get(name)!.url;

  const common = {
    ...SECRETS,
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'development',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    HOST: '127.0.0.1',
    ...COMPILE_CACHE,
    NATS_URL: infra().natsUrl,
    NATS_PREFIX: prefix,
    ...TEST_STREAMS,
    PUBLIC_URL: address('gateway'),
    MAILBOX_FILE: join(folder, 'outbox.jsonl'),
    FILES_URL: pathToFileURL(join(folder, 'files')).href,
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, address(name)])),
    ...RELAXED_LIMITS,
    // Longer than a client keeps an idle connection (shared/kit/http/serve/server.ts), as in deploy/kubernetes.
    SHUTDOWN_DELAY_MS: '5000',
    ...extra,
  };

  async function start(name: ProcessName): Promise<Replica> {
    const port = await freePort();
    const database = name === 'gateway' ? undefined : databases.get(name);
    const own = database && { DATABASE_URL: database.url, DATABASE_READ_URL: database.readUrl };
    const env = { ...common, ...testKeys(name), PORT: String(port), ...own, ...envOf?.(name) };
    const child = spawn(process.execPath, [entryOf(root(), name)], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    void guard(child, 'service');
    children.push(child);
    const balancer = balancers.get(name)!;
    balancer.add(port);
    const isServing = () => {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) throw new Error(`${name} exited with ${end}`);
      return balancer.serves(port);
    };
    await eventually(`${name} is ready`, isServing, 240_000);
    return { child, port };
  }

  async function end(name: ProcessName, { child, port }: Replica): Promise<number | null> {
    const { remove } = balancers.get(name)!;
    if (!removesLate) remove(port);
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    }
    remove(port);
    return child.exitCode;
  }

  const startAll = async (name: ProcessName) => {
    const count = replicasOfEach;
    replicas.set(name, await Promise.all(Array.from({ length: count }, () => start(name))));
  };
  await Promise.all(PROCESSES.map(startAll)).catch(async (error: unknown) => {
    // What has started would keep the test run from ending.
    for (const child of children) child.kill('SIGKILL');
    for (const balancer of balancers.values()) await balancer.stop();
    throw error;
  });

  return {
    url: address('gateway'),
    codeFor: (to) =>
      eventually(`a code for ${to}`, async () => {
        const lines = await jsonLines<{ to: string; code?: string }>(join(folder, 'outbox.jsonl'));
        return lines.findLast((line) => line.to === to && line.code)?.code;
      }),
    prefix,
    sql: (service, statement) => sqlOnNewConnection(databases.get(service)!.ownerUrl, statement),
    migrate: async (root) => {
      for (const [name, { ownerUrl }] of databases)
        await migrate(ownerUrl, pathToFileURL(`${root}/services/${name}/migrations/`));
    },
    roll: async (name) => {
      const codes: (number | null)[] = [];
      const started: Replica[] = [];
      for (const old of replicas.get(name) ?? []) {
        codes.push(await end(name, old));
        started.push(await start(name));
      }
      replicas.set(name, started);
      return codes;
    },
    replaceKilled: async (name) => {
      const [oldest, ...others] = replicas.get(name) ?? [];
      if (!oldest) throw new Error(`${name} has no replica`);
      const exited = once(oldest.child, 'exit');
      oldest.child.kill('SIGKILL');
      await exited;
      balancers.get(name)!.remove(oldest.port);
      replicas.set(name, others);
      replicas.set(name, [...others, await start(name)]);
    },
    stop: async () => {
      await Promise.all([...replicas].flatMap(([name, running]) => running.map((replica) => end(name, replica))));
      for (const balancer of balancers.values()) await balancer.stop();
      for (const database of databases.values()) await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
