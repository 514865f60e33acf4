import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeStreams } from '@tutoring/shared/contract/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { SERVICES, type ServiceName } from '@tutoring/shared/contract/names';
import { jsonLines } from '@tutoring/shared/testing/lines';
import { send, type TestResponse } from '@tutoring/shared/testing/client';
import { COMPILE_CACHE } from '@tutoring/shared/testing/compile-cache';
import { cloneDatabase, sql, type TestDatabase } from '@tutoring/shared/testing/infra';
import { testKeys } from '@tutoring/shared/testing/keys';
import { TEST_STREAMS, testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';
import { natsPasswords } from '../../deploy/local/secrets.ts';
import { freePort, natsUrlOf, startNats } from '../../deploy/local/servers.ts';
import { USERS } from '../../deploy/nats/users.ts';
import { entryOf } from '../cluster/entry.ts';
import { listen, type Listener } from './listener.ts';
import { createReferenceCheck, type OpenApi } from './reference.ts';

/** The second gateway runs only when a test starts it. */
export type GatewayName = 'gateway' | 'second gateway';
export type ProcessName = ServiceName | GatewayName;
const GATEWAYS: GatewayName[] = ['gateway', 'second gateway'];
const isGateway = (name: ProcessName): name is GatewayName => GATEWAYS.some((gateway) => gateway === name);

export const SECRETS = {
  CODE_KEYS: 'journey:0123456789abcdef0123456789abcdef',
  SANDBOX_WEBHOOK_SECRET: 'journey-sandbox-secret-0123456789',
  ROOM_NAMESPACE: '5f0c6f0e-27c5-4a6e-9d5c-0f5bb8a2d1aa',
  CALENDAR_KEYS: 'journey:0123456789abcdef0123456789abcdef',
  AGORA_APP_ID: '0123456789abcdef0123456789abcdef',
  AGORA_APP_CERTIFICATE: 'fedcba9876543210fedcba9876543210',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'journey-admin-password',
};

/** Settings for tests: practically no rate limits, and cheap password hashes. */
export const RELAXED_LIMITS = {
  AUTH_RATE_LIMIT: '100000',
  API_RATE_LIMIT: '1000000',
  SEND_LIMIT_FACTOR: '100000',
  ARGON2_MEMORY_KIB: '64',
  ARGON2_PASSES: '1',
};

/** Limit for revocations to take effect: shorter than the cached token checks of requests (30 s) and streams (60 s). */
export const SOON_MS = 20_000;

/** One path of each service. */
const SERVICE_PATHS = ['/api/me', '/api/wallet', '/api/rooms', '/api/calls'];

/** Long, because several systems may start at once on few slow cores. */
const STARTS_MS = 240_000;

/** Paths of the reference itself, which it does not describe. */
const UNDOCUMENTED = /^api\/(openapi\.json|docs)/;

interface MailboxLine {
  channel: string;
  to: string;
  code?: string;
  text: string;
}

/** The log of a process in chunks. */
interface Log {
  name: ProcessName;
  lines: string[];
}

export interface System {
  url: string;
  /** The URL of NATS with the permissions of the operator. */
  natsUrl: string;
  /** The folder of the mailbox file. */
  folder: string;
  secrets: typeof SECRETS;
  request(
    method: string,
    path: string,
    options?: { token?: string; body?: unknown; headers?: Record<string, string>; through?: GatewayName },
  ): Promise<TestResponse>;
  /** The newest verification code that was sent to an address. */
  codeFor(address: string): Promise<string>;
  mailbox(): Promise<MailboxLine[]>;
  /** Opens a user's live event stream; `events` of the listener grows. */
  listen(token: string, through?: GatewayName): Promise<Listener>;
  /** The response whose body is the user's live event stream. */
  openStream(token: string, through: GatewayName): Promise<Response>;
  /** Sets the clock that calls are billed by to now plus `seconds`. */
  shiftCallClock(seconds: number): Promise<void>;
  /** Runs SQL on a service's database, as the owner of the schema. */
  sql(service: ServiceName, statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>;
  /** The processes whose logs contain a text. */
  processesThatLogged(text: string): ProcessName[];
  /** Kills a process with SIGKILL. */
  kill(name: ProcessName): Promise<void>;
  start(name: ProcessName): Promise<void>;
  /** Restarts the broker with the same port and data. */
  restartNats(): Promise<void>;
  stop(): Promise<void>;
}

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

async function isReady(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  return response?.ok === true;
}

async function environments(
  folder: string,
  databases: Map<ServiceName, TestDatabase>,
  nats: { port: number; passwords: Record<string, string> },
  own: NodeJS.ProcessEnv,
  gateway: NodeJS.ProcessEnv,
  metricsPort: (name: ProcessName) => string | undefined,
) {
  const ports = new Map<ProcessName, number>();
  for (const name of [...SERVICES, 'gateway'] as const) ports.set(name, await freePort());
  const address = (name: ProcessName) => `http://127.0.0.1:${ports.get(name)}`;
  const common = {
    ...SECRETS,
    PATH: process.env['PATH'] ?? '',
    NODE_ENV: 'test',
    ...own,
    HOST: '127.0.0.1',
    ...COMPILE_CACHE,
    ...TEST_STREAMS,
    PUBLIC_URL: address('gateway'),
    MAILBOX_FILE: join(folder, 'outbox.jsonl'),
    FILES_URL: pathToFileURL(join(folder, 'files')).href,
    CURRENCY: 'XOF',
    PAYOUT_METHODS: JSON.stringify([{ method: 'tmoney', kind: 'phone', name: 'T-Money', country: 'TG' }]),
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_URL`, address(name)])),
    ...RELAXED_LIMITS,
  };
  const of = (name: ProcessName): NodeJS.ProcessEnv => {
    const database = isGateway(name) ? undefined : databases.get(name);
    return {
      ...common,
      ...testKeys(isGateway(name) ? 'gateway' : name),
      NATS_URL: natsUrlOf(isGateway(name) ? 'gateway' : name, nats),
      PORT: String(ports.get(name)),
      METRICS_PORT: metricsPort(name),
      ...(database ? { DATABASE_URL: database.url } : gateway),
    };
  };
  return { ports, address, of };
}

/**
 * Starts the whole product as five real processes with separate databases and NATS. Each process has only the
 * permissions of its own users there. `gateway` is additional environment of the gateways, `level` the log level,
 * `metrics` the ports of metrics. `stop` removes everything.
 */
export async function startSystem({
  gateway = {},
  level = 'warn',
  metrics = {},
}: {
  gateway?: NodeJS.ProcessEnv;
  level?: string;
  metrics?: Partial<Record<ProcessName, number>>;
} = {}): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'journey-'));
  const databases = new Map<ServiceName, TestDatabase>();
  for (const name of SERVICES) databases.set(name, await cloneDatabase(name));
  const passwords = natsPasswords(USERS);
  const broker = (port?: number) => startNats({ dataDir: join(folder, 'nats'), port, passwords, log: () => undefined });
  let nats = await broker();
  const url = natsUrlOf('operator', { port: nats.port, passwords });
  const logger = createLogger('journey', 'warn');
  await makeStreams({ url, prefix: 'tutoring', name: 'journey', limits: testLimits, logger });
  const own = { LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? level };
  const { ports, address, of } = await environments(
    folder,
    databases,
    { port: nats.port, passwords },
    own,
    gateway,
    (name) => metrics[name]?.toString(),
  );
  const children = new Map<ProcessName, ChildProcess>();
  const logs: Log[] = [];

  const start = async (name: ProcessName): Promise<void> => {
    // The port of the second gateway is chosen at its start, so that no other process takes it before.
    if (!ports.has(name)) ports.set(name, await freePort());
    const child = spawn(process.execPath, [entryOf(REPOSITORY, isGateway(name) ? 'gateway' : name)], {
      env: of(name),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    logs.push({ name, lines });
    child.stdout.setEncoding('utf8').on('data', (text: string) => lines.push(text));
    children.set(name, child);
    await eventually(
      `${name} is ready`,
      () => {
        const ended = child.exitCode ?? child.signalCode;
        if (ended !== null) throw new Error(`${name} exited with ${ended}:\n${lines.join('').slice(-4_000)}`);
        return isReady(ports.get(name)!);
      },
      STARTS_MS,
    );
  };

  const end = async (name: ProcessName, signal: NodeJS.Signals): Promise<void> => {
    const child = children.get(name);
    children.delete(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };

  const mailbox = () => jsonLines<MailboxLine>(join(folder, 'outbox.jsonl'));

  const listeners: Listener[] = [];
  const stop = async (): Promise<void> => {
    for (const listener of listeners) listener.close();
    await Promise.all(GATEWAYS.map((name) => end(name, 'SIGTERM')));
    await Promise.all(SERVICES.map((name) => end(name, 'SIGTERM')));
    await nats.stop();
    for (const database of databases.values()) await database.drop();
    await rm(folder, { recursive: true, force: true });
  };

  /** Starts all processes. Returns the reference with the parts of all services. */
  async function startAll(): Promise<OpenApi> {
    await Promise.all(SERVICES.map(start));
    await start('gateway');
    // On a busy machine the gateway may publish the reference before it has the parts of all services.
    return eventually('the whole reference', async () => {
      const { body } = await send('GET', `${address('gateway')}/api/openapi.json`);
      const { paths } = body as OpenApi;
      return SERVICE_PATHS.every((path) => path in paths) && (body as OpenApi);
    });
  }
  const document = await startAll().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const reference = createReferenceCheck(document);

  return {
    url: address('gateway'),
    natsUrl: url,
    folder,
    secrets: SECRETS,
    request: async (method, path, { token, body, headers, through = 'gateway' } = {}) => {
      const answer = await send(method, `${address(through)}/${path}`, {
        body,
        headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
      });
      if (!UNDOCUMENTED.test(path)) reference.check(method, path, answer);
      return answer;
    },
    codeFor: (to) =>
      eventually(
        `a code for ${to}`,
        async () => (await mailbox()).findLast((line) => line.to === to && line.code)?.code,
      ),
    mailbox,
    listen: async (token, through = 'gateway') => {
      const listener = await listen(address(through), token);
      listeners.push(listener);
      return listener;
    },
    openStream: (token, through) =>
      fetch(`${address(through)}/api/events`, { headers: { authorization: `Bearer ${token}` } }),
    shiftCallClock: async (seconds) => {
      const statement = `insert into app_clock (shift) values (make_interval(secs => $1)) on conflict (only_row) do update set shift = excluded.shift`;
      await sql(databases.get('calls')!.ownerUrl, statement, [seconds]);
    },
    sql: (service, statement, parameters) => sql(databases.get(service)!.ownerUrl, statement, parameters),
    processesThatLogged: (text) => logs.filter(({ lines }) => lines.join('').includes(text)).map(({ name }) => name),
    kill: (name) => end(name, 'SIGKILL'),
    start,
    restartNats: async () => {
      await nats.stop();
      nats = await broker(nats.port);
    },
    stop,
  };
}
