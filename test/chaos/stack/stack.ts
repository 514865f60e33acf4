import { mkdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Migration from '@tutoring/shared/kit/database/migrate';
import { makeStreams } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { PROCESSES, SERVICES, type ProcessName, type ServiceName } from '@tutoring/shared/contract/names';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { makeKeys } from '@tutoring/shared/testing/keys';
import { TEST_STREAMS, testLimits } from '@tutoring/shared/testing/service';
import pg from 'pg';
import { columnTypes } from '@tutoring/shared/kit/database/connection';
import { natsPasswords } from '../../../deploy/local/secrets.ts';
import { natsUrlOf, provision } from '../../../deploy/local/servers.ts';
import { USERS } from '../../../deploy/nats/users.ts';
import { SECRETS, RELAXED_LIMITS } from '../../journeys/system.ts';
import { startLine, type Line } from './line.ts';
import { balancersOf, isService, startProduct, type LogLine, type Product } from './product.ts';
import { REPOSITORY, releaseOf } from './checkout.ts';
import { createClocks, type Clocks } from './clocks.ts';
import { mountDisks, type Disk } from './disk.ts';
import { startBroker, startDatabase, startRedis, type Faulty } from './servers.ts';
import type { Exit } from '../../../deploy/local/guard.ts';

export interface StackOptions {
  root?: string;
  /** A commit: its release runs until a fault deploys this one. */
  before?: string;
  replicasOfEach?: number;
  /** False: PostgreSQL confirms commits before they are flushed; for a mutant. */
  durable?: boolean;
  /** Additional environment of the processes; for mutants. */
  env?: Record<string, string>;
  onLine: (replica: string, line: LogLine) => void;
  onDeath: (replica: string, exit: Exit) => void;
}

export interface Stack {
  url: string;
  folder: string;
  postgres: Faulty;
  nats: Faulty;
  natsStore: string;
  redis: Faulty | undefined;
  /** The disks that can be filled and can lose unflushed writes; undefined without permission to mount. */
  disks: Record<'PostgreSQL' | 'NATS' | 'files', Disk> | undefined;
  clocks: Clocks | undefined;
  product: Product;
  /** The sources of this release, and of the one before if given. `migrate` brings the schema to this release. */
  release: { present: string; before: string | undefined; migrate(): Promise<void> };
  /** Proxies between a process and a server (`postgres/wallet`, `nats/gateway`) or before a service (`http/calls`). */
  lines: Map<string, Line>;
  /** Runs a statement as the superuser, bypassing the lines. */
  sql<Row = Record<string, unknown>>(service: ServiceName, statement: string, parameters?: unknown[]): Promise<Row[]>;
  codeFor(address: string): Promise<string | undefined>;
  /** Creates missing streams and consumers of NATS, as identity's migration does. */
  makeStreams(): Promise<void>;
  /** Connection options for NATS as the operator, bypassing the lines. */
  broker: { servers: string; user: string; pass: string };
  databaseUrl(service: ServiceName): string;
  stop(): Promise<void>;
}

async function startServers(folder: string, durable: boolean) {
  const [data, natsStore, files] = [join(folder, 'postgres'), join(folder, 'nats/store'), join(folder, 'files')];
  const disks = mountDisks({ PostgreSQL: data, NATS: natsStore, files });
  mkdirSync(files, { recursive: true });
  const passwords = natsPasswords(USERS);
  const [postgres, nats, redis] = await Promise.all([
    startDatabase(data, durable),
    startBroker(join(folder, 'nats'), passwords),
    startRedis(),
  ]);
  return { disks, postgres, nats, natsStore, files, redis, passwords };
}

function provisioned(postgres: Faulty) {
  const roles = SERVICES.flatMap((name) => [`${name}_owner`, `${name}_service`]);
  const passwords = Object.fromEntries(roles.map((role) => [role, role]));
  return provision(postgres.url(), { names: SERVICES, passwords });
}

type Databases = Awaited<ReturnType<typeof provisioned>>;

/** Migrates the databases to the schema of a release, with the code of that release. */
async function migrateTo(root: string, databases: Databases): Promise<void> {
  const module = pathToFileURL(join(root, 'shared/kit/database/migrate.ts')).href;
  const { migrate } = (await import(module)) as typeof Migration;
  for (const name of SERVICES)
    await migrate(databases[name]!.ownerUrl, pathToFileURL(`${join(root, 'services', name, 'migrations')}/`));
}

const at = (url: string, port: number) => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};

/** One connection pool for each database. */
function createSql(urlOf: (service: ServiceName) => string) {
  const pools = new Map(
    SERVICES.map((service) => {
      const pool = new pg.Pool({
        connectionString: urlOf(service),
        types: columnTypes,
        max: 3,
        statement_timeout: 20_000,
      });
      pool.on('error', () => undefined);
      return [service, pool] as const;
    }),
  );
  return {
    sql: async <Row>(service: ServiceName, statement: string, parameters: unknown[] = []) =>
      (await pools.get(service)!.query(statement, parameters)).rows as Row[],
    end: async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))),
  };
}

async function newestCode(mailbox: string, address: string): Promise<string | undefined> {
  const lines = await jsonLines<{ to: string; code?: string }>(mailbox);
  return lines.findLast(({ to, code }) => to === address && code !== undefined)?.code;
}

/** Starts the product as in production, with every connection between its parts under the harness's control. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { root = REPOSITORY, replicasOfEach = 2, durable = true } = options;
  const folder = await mkdtemp(join(tmpdir(), 'chaos-'));
  await chmod(folder, 0o711);
  const undo: (() => Promise<unknown> | void)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  const interrupted = () => void stop().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, interrupted);
    undo.push(() => void process.off(signal, interrupted));
  }
  try {
    const { disks, postgres, nats, natsStore, files, redis, passwords } = await startServers(folder, durable);
    undo.push(
      () => Object.values(disks ?? {}).forEach((disk) => disk.unmount()),
      () => postgres.stop(),
      () => nats.stop(),
      () => redis?.stop(),
    );
    const before = options.before === undefined ? undefined : releaseOf(options.before);
    undo.push(() => before?.remove());
    const first = before?.root ?? root;
    const databases = await provisioned(postgres);
    await migrateTo(first, databases);
    const release = { present: root, before: before?.root, migrate: () => migrateTo(root, databases) };
    const brokerUrl = natsUrlOf('operator', { port: nats.port, passwords });
    const logger = createLogger('chaos', 'warn');
    const makeAll = () =>
      makeStreams({ url: brokerUrl, prefix: 'tutoring', name: 'chaos', limits: testLimits, logger });
    await makeAll();

    for (const disk of Object.values(disks ?? {})) disk.flush();

    const balancers = await balancersOf();
    const lines = new Map<string, Line>();
    for (const name of PROCESSES) {
      lines.set(`nats/${name}`, await startLine(() => nats.port));
      const port = Number(new URL(balancers.get(name)!.url).port);
      if (!isService(name)) continue;
      lines.set(`http/${name}`, await startLine(() => port));
      lines.set(`postgres/${name}`, await startLine(() => postgres.port));
    }
    undo.push(async () => {
      for (const line of lines.values()) await line.stop();
      for (const balancer of balancers.values()) await balancer.stop();
    });

    const url = balancers.get('gateway')!.url;
    const mailbox = join(folder, 'outbox.jsonl');
    const logs = join(folder, 'logs');
    mkdirSync(logs);
    const keys = makeKeys();
    const common = {
      ...SECRETS,
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'development',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      ...TEST_STREAMS,
      PUBLIC_URL: url,
      MAILBOX_FILE: mailbox,
      FILES_URL: pathToFileURL(files).href,
      FILES_SHARED: '1',
      PAYOUT_METHODS: JSON.stringify([{ method: 'tmoney', kind: 'phone', name: 'T-Money', country: 'TG' }]),
      ...Object.fromEntries(
        SERVICES.map((name) => [`${name.toUpperCase()}_URL`, `http://127.0.0.1:${lines.get(`http/${name}`)!.port}`]),
      ),
      ...RELAXED_LIMITS,
      ...(redis && { REDIS_URL: redis.url() }),
      SHUTDOWN_DELAY_MS: '2000',
      ...options.env,
    };
    const clocks = createClocks(folder);
    const environmentOf = (name: ProcessName, replica: string) => ({
      ...common,
      ...clocks?.environmentOf(replica),
      ...keys(name),
      NATS_URL: natsUrlOf(name, { port: lines.get(`nats/${name}`)!.port, passwords }),
      ...(isService(name) && {
        DATABASE_URL: at(databases[name]!.serviceUrl, lines.get(`postgres/${name}`)!.port),
      }),
    });
    const { onLine, onDeath } = options;
    const product = await startProduct(
      { root: first, replicasOfEach, environmentOf, logs, onLine, onDeath },
      balancers,
    );
    undo.push(() => product.stop());
    const databaseUrl = (service: ServiceName) => {
      const direct = new URL(postgres.url());
      direct.pathname = `/${databases[service]!.database}`;
      return direct.href;
    };
    const broker = { servers: `127.0.0.1:${nats.port}`, user: 'tutoring-operator', pass: passwords['operator']! };
    const { sql, end } = createSql(databaseUrl);
    undo.push(end);
    await product.allUp();
    const codeFor = (address: string) => newestCode(mailbox, address);
    return {
      url,
      folder,
      postgres,
      nats,
      natsStore,
      redis,
      disks,
      clocks,
      product,
      release,
      lines,
      sql,
      codeFor,
      makeStreams: makeAll,
      broker,
      databaseUrl,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
