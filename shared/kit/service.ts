import type { z } from 'zod';
import { createIdentitySigner, watchIdentities, type IdentitySigner } from './identity/auth.ts';
import { assertOwnUser, ConfigError, parseConfig, UsageError, type ServiceConfig } from './process/config.ts';
import { migrate, watchSchema } from './database/migrate.ts';
import { openDatabase, type Database } from './database/open.ts';
import { withStandby } from './database/standby.ts';
import { AppError } from './errors.ts';
import { connectBus, makeStreams, type Bus } from './events/bus.ts';
import { startRelay } from './events/relay/relay.ts';
import { resync, type Snapshots } from './events/operate/resync.ts';
import { retryDeadLetters } from './events/consume/retry.ts';
import { startSubscriber } from './events/consume/subscribe.ts';
import type { Subscription } from './events/consume/subscription.ts';
import type { Route } from './http/declare/route.ts';
import { serveMetrics, type Listening } from './http/serve/listener.ts';
import { createApp, listen, waitingApp } from './http/serve/server.ts';
import { createInternalClient, type InternalClient } from './commands/client.ts';
import type { Commands } from './commands/define.ts';
import type { LiveDeclaration, Messages } from './events/catalogue.ts';
import type { LiveEvents } from './http/declare/openapi.ts';
import { housekeeping, startJobs, tallyJob, type Job } from './jobs.ts';
import { createLogger, createOutage, type Logger } from './process/logger.ts';
import { createMetrics, type Metrics } from './process/metrics.ts';
import { STOP_REQUESTS_MS, STOP_REST_MS, STOP_WORK_MS } from './process/deadlines.ts';
import { runProcess, shutDown } from './process/process.ts';
import { watchService } from './service-gauges.ts';

/** What the kit has to know about the system to which a service belongs. */
export interface Contract<All extends Commands = Commands> {
  /** Each has a signing key and a user of NATS. */
  processes: readonly string[];
  messages: Messages;
  liveEvents: LiveEvents & Readonly<Record<string, LiveDeclaration>>;
  commands: All;
}

export interface ServiceDeps<Config, All extends Commands = Commands> {
  config: Config;
  database: Database;
  bus: Bus;
  logger: Logger;
  signer: IdentitySigner;
  /** Register a service's own metrics in `metrics.registry`. */
  metrics: Metrics;
  /** A client for the commands of another service. */
  internal<Owner extends All[keyof All]['owner']>(to: Owner, baseUrl: string): InternalClient<All, Owner>;
  /** Runs one of the service's jobs now. */
  wakeJob(name: string): void;
}

/** What a service declares. */
interface BuiltService {
  routes: Route[];
  subscriptions?: Subscription[];
  jobs?: Job[];
  /** The nouns of the service, for `events resync`. */
  snapshots?: Snapshots;
  /** Adds initial data to an empty database (catalogue, first administrator). Runs at every start. */
  seed?(): Promise<void>;
}

export interface ServiceDefinition<Config extends ServiceConfig, All extends Commands = Commands> {
  name: string;
  contract: Contract<All>;
  config: z.ZodType<Config>;
  migrations: URL;
  build(deps: ServiceDeps<Config, All>): BuiltService | Promise<BuiltService>;
  /** Operator commands by name: `node src/main.ts <name> ...`. They may run while the service runs. */
  commands?: Record<string, OperatorCommand<Config, All>>;
}

interface OperatorCommand<Config extends ServiceConfig, All extends Commands = Commands> {
  usage: string;
  /** Returns the lines to print; undefined for invalid arguments. Throws AppError to refuse. */
  run(deps: ServiceDeps<Config, All>, args: string[]): Promise<string[] | undefined>;
}

/** Connections of the relay: reading and marking for three streams at the same time, and the lease. */
export const RELAY_POOL = 7;

const SCHEMA_POLL_MS = 1_000;

/** Connects to the database and NATS. */
async function connect<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
  logger: Logger,
  clock: () => number = Date.now,
) {
  const { name, contract } = definition;
  const { commands, messages } = contract;
  const metrics = createMetrics(name);
  const signer = createIdentitySigner(name, config, { now: clock, ...watchIdentities(metrics, logger) });
  const { DATABASE_URL: url, DATABASE_POOLER: pooler } = config;
  const outage = createOutage(logger, { server: 'PostgreSQL' });
  const openPool = (pool: number) => openDatabase({ url, name, pooler, logger, pool, outage });
  const database = withStandby(await openPool(config.DATABASE_POOL), name, { config, logger, metrics });
  const { NATS_URL, NATS_PREFIX: prefix } = config;
  const bus = await connectBus({ url: NATS_URL, prefix, name, limits: config, logger, messages });
  watchService(metrics, { database, bus });
  let wake: (job: string) => void = () => undefined;
  const deps: ServiceDeps<Config> = {
    config,
    database,
    bus,
    logger,
    signer,
    metrics,
    internal: (to, baseUrl) => createInternalClient({ commands, baseUrl, from: name, to, signer, logger }),
    wakeJob: (job) => wake(job),
  };
  return { deps, openPool, onWake: (listener: typeof wake) => void (wake = listener) };
}

/**
 * Starts a service: HTTP (not ready yet), database, NATS, events and jobs. Waits until PostgreSQL and NATS are
 * reachable and the schema is compatible. Rejects for a wrong configuration. `clock`: the clock for signed identities.
 */
export async function startService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
  logger: Logger = createLogger(definition.name, config.LOG_LEVEL),
  clock: () => number = Date.now,
): Promise<RunningService> {
  const http = await listen(waitingApp(), { host: config.HOST, port: config.PORT });
  try {
    const connected = await connect(definition, config, logger, clock);
    const { serving, ...running } = await serve(definition, connected, http);
    http.useApp(serving);
    return running;
  } catch (error) {
    await http.close();
    throw error;
  }
}

/** The live events that the service publishes. */
const ownLiveEvents = ({ name, contract }: Pick<ServiceDefinition<ServiceConfig>, 'name' | 'contract'>) =>
  Object.fromEntries(Object.entries(contract.liveEvents).filter(([, event]) => event.owner === name));

/** Starts all parts of a connected service. */
async function serve<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  { deps, openPool, onWake }: Awaited<ReturnType<typeof connect<Config>>>,
  http: Listening,
) {
  const { config, database, bus, logger, signer, metrics } = deps;
  const isSchemaCompatible = await watchSchema(database.manager, definition.migrations, logger);
  // Wait until the schema is compatible with this release.
  while (!(await isSchemaCompatible())) await new Promise((resolve) => setTimeout(resolve, SCHEMA_POLL_MS));
  const parts = await definition.build(deps);
  await parts.seed?.();
  await bus.ensureStreams();
  // A separate pool: urgent events must not queue behind requests that wait for a connection.
  const relayDatabase = await openPool(RELAY_POOL);
  const relay = startRelay({ service: definition.name, database: relayDatabase, bus, logger });
  database.onPublished(relay.wake);
  const subscriptions = parts.subscriptions ?? [];
  const subscriber = startSubscriber({ service: definition.name, bus, database, logger, subscriptions, metrics });
  const jobs = [housekeeping(database), tallyJob(database), ...(parts.jobs ?? [])];
  const running = startJobs(jobs, { logger, metrics, reader: database.manager });
  onWake(running.wake);

  let accepting = true;
  const serving = createApp({
    name: definition.name,
    routes: parts.routes,
    liveEvents: ownLiveEvents(definition),
    signer,
    logger,
    isLive: () => !relay.isOverdue(),
    ready: async () => accepting && (await isSchemaCompatible()),
    metrics,
    checkResponses: config.NODE_ENV === 'test',
  });
  const metricsListener = await serveMetrics(metrics.registry, config);
  logger.info({ port: http.port, metrics_port: metricsListener?.port }, 'listening');

  return {
    serving,
    url: `http://127.0.0.1:${http.port}`,
    database,
    bus,
    parts,
    jobs,
    metrics,
    stop: async () => {
      accepting = false;
      http.drain();
      if (config.SHUTDOWN_DELAY_MS > 0) await new Promise((resolve) => setTimeout(resolve, config.SHUTDOWN_DELAY_MS));
      const stopRelay = () => relay.stop().finally(relayDatabase.close);
      const phases = [
        // A job may wait for another server, as requests do: what it has sent must not be cut.
        { limitMs: STOP_REQUESTS_MS, parts: { requests: http.close, jobs: running.stop } },
        { limitMs: STOP_WORK_MS, parts: { consumers: subscriber.stop, relay: stopRelay } },
        { limitMs: STOP_REST_MS, parts: { metrics: metricsListener?.close } },
        { limitMs: STOP_REST_MS, parts: { nats: bus.close, database: database.close } },
      ];
      await shutDown(phases, logger);
    },
  };
}

export type RunningService = Omit<Awaited<ReturnType<typeof serve>>, 'serving'>;

const USAGE = '[check | migrate | events resync <event> --consumer <service> | events retry [event]]';

const misuse = (usage: string) => new UsageError(`There is no such command.\nusage: main.ts ${usage}`);

/** The commands `events resync` and `events retry` of every service. */
const eventsCommand = <Config extends ServiceConfig>({
  name: service,
  contract,
  build,
}: ServiceDefinition<Config>): OperatorCommand<Config> => ({
  usage: USAGE,
  run: async (deps, [action, name, flag, consumer]) => {
    const { bus, database } = deps;
    const { manager } = database;
    if (action === 'retry' && flag === undefined) {
      const published = await retryDeadLetters({ consumer: service, name, manager, bus });
      return [`${published} dead letters published again`];
    }
    const isService = contract.messages.services.some((known) => known === consumer);
    if (action !== 'resync' || !name || flag !== '--consumer' || !consumer || !isService) return undefined;
    const { snapshots = {} } = await build(deps);
    const published = await resync({ name, consumer, snapshots, manager, bus });
    return [`${name}: ${published} published again to ${consumer}`];
  },
});

async function runCommand<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  config: Config,
  logger: Logger,
  [name = '', ...args]: string[],
) {
  const commands = new Map(Object.entries({ ...definition.commands, events: eventsCommand(definition) }));
  const command = commands.get(name);
  if (!command) throw misuse(USAGE);
  const { deps } = await connect(definition, config, logger);
  try {
    const lines = await command.run(deps, args);
    if (!lines) throw misuse(command.usage);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  } finally {
    await deps.bus.close();
    await deps.database.close();
  }
}

/**
 * The entry point of a service. Without arguments it serves; otherwise it runs `check` (of the configuration),
 * `migrate`, `events resync`, `events retry` or a command of the service.
 */
export async function main<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  env: Record<string, string | undefined>,
  args: string[],
): Promise<void> {
  await runProcess(definition.name, env, async (logger) => {
    const config = parseConfig(definition.config, env);
    const [command] = args;
    // An attacker who takes over a serving process must not find the credentials of the schema's owner in its
    // environment.
    for (const name of ['MIGRATION_DATABASE_URL', 'MIGRATION_NATS_URL'] as const)
      if (command !== 'migrate' && config[name])
        throw new ConfigError(`${name} is for \`migrate\` alone: run that first, then start without it`);
    assertOwnUser(definition.name, config, definition.contract.processes);
    if (command === 'check') process.stdout.write(`The configuration of ${definition.name} is right.\n`);
    else if (command === undefined) return startService(definition, config, logger);
    else if (command === 'migrate') {
      if (!config.MIGRATION_DATABASE_URL) throw new ConfigError('MIGRATION_DATABASE_URL is required to migrate');
      const { MIGRATION_NATS_URL: url, NATS_PREFIX: prefix } = config;
      // Before the schema, so that a service does not get ready without its streams.
      const { messages } = definition.contract;
      if (url) await makeStreams({ url, prefix, name: 'migrate', limits: config, logger, messages });
      logger.info({ migrations: await migrate(config.MIGRATION_DATABASE_URL, definition.migrations) }, 'migrated');
    } else await runCommand(definition, config, logger, args);
    return undefined;
  });
}
