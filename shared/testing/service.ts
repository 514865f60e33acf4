import { randomBytes, randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { headers } from '@nats-io/transport-node';
import { parseConfig, streamConfig, type ServiceConfig } from '../kit/process/config.ts';
import { rows } from '../kit/database/sql.ts';
import { catalogue, hasManyPublishers, subjectOf, type EventData, type EventName } from '../contract/events.ts';
import { topology } from '../contract/bus.ts';
import { eventsOf } from '../kit/events/streams.ts';
import { createLogger, type Logger } from '../kit/process/logger.ts';
import type { ProcessName, ServiceName } from '../contract/names.ts';
import type { ServiceDefinition } from '../contract/service.ts';
import { startService, type RunningService } from '../kit/service.ts';
import { signedClient } from './client.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { cloneDatabase, filesFolder, infra, sql } from './infra.ts';
import { signerTowards, testKeys } from './keys.ts';
import { eventually, NATS_TIMEOUT } from './wait.ts';

export interface ServiceOptions {
  env?: Record<string, string>;
  prefix?: string;
  /** Rewrites the database URL, for example to use a proxy. */
  databaseThrough?: (url: string) => string;
  /** Starts no jobs, whose statements could be cut instead of a request's. */
  jobless?: boolean;
  /** The clock for signing and verifying identities. */
  clock?: () => number;
  logger?: Logger;
  /** Changes the database, as the schema's owner, before the service starts. */
  beforeStart?: (asOwner: (statement: string, parameters?: unknown[]) => ReturnType<typeof sql>) => Promise<void>;
}

/** URL of services that a test does not start: its port refuses connections. */
const NOWHERE = 'http://127.0.0.1:1';

/** Longer than a test takes to publish a batch. */
const PAUSE_MS = 600_000;

/** Small limits: each NATS prefix of a run has its own streams, and the server reserves their bytes. */
export const TEST_STREAMS = {
  NATS_EVENTS_BYTES: '64000000',
  NATS_LIVE_BYTES: '64000000',
  NATS_REVOCATIONS_BYTES: '1000000',
};
export const testLimits = parseConfig(streamConfig, TEST_STREAMS);

const base = (name: ProcessName, prefix: string) => ({
  NODE_ENV: 'test',
  LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
  HOST: '127.0.0.1',
  PORT: '0',
  PUBLIC_URL: 'http://public.test',
  FILES_URL: pathToFileURL(filesFolder(infra().run)).href,
  NATS_URL: infra().natsUrl,
  NATS_PREFIX: prefix,
  ...TEST_STREAMS,
  ...testKeys(name),
  IDENTITY_URL: NOWHERE,
  WALLET_URL: NOWHERE,
  MESSAGING_URL: NOWHERE,
  CALLS_URL: NOWHERE,
});

export const newPrefix = () => `t${randomBytes(5).toString('hex')}`;

/** `admins`, or `user.12` for each user of an address. */
function audienceOf(address: string): string[] {
  const [kind = '', ...ids] = address.split('.');
  return kind === 'admins' ? [kind] : [...new Set(ids)].map((id) => `${kind}.${id}`);
}

/**
 * Serializes the runs of each job, so that a run which a test starts begins after the one in progress. The first runs
 * of all jobs follow each other: in parallel each would open a connection, which costs more than the runs themselves.
 */
const withSerialJobs = <Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  jobless = false,
): ServiceDefinition<Config> => ({
  ...definition,
  build: async (deps) => {
    const parts = await definition.build(deps);
    if (jobless) return { ...parts, jobs: [] };
    let first: Promise<unknown> = Promise.resolve();
    const jobs = (parts.jobs ?? []).map((job) => {
      let last: Promise<unknown> | undefined;
      const run = () => {
        last = (last ?? first).then(job.run, job.run);
        return last;
      };
      return { ...job, run: () => (last ? run() : (first = run())) };
    });
    return { ...parts, jobs };
  },
});

const HANDLED =
  'select event_id from inbox where event_id = $1 union all select event_id from event_failure where event_id = $1';
const AWAITED = 'exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid)))';
const HOLDING = `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

/**
 * Starts the real service on its own database and NATS prefix. A given `prefix` connects several services. `stop()`
 * deletes the database, and the streams of its own prefix.
 */
export async function startTestService<Config extends ServiceConfig>(
  definition: ServiceDefinition<Config>,
  options: ServiceOptions = {},
) {
  const database = await cloneDatabase(definition.name);
  const prefix = options.prefix ?? newPrefix();
  const databaseUrl = options.databaseThrough?.(database.url) ?? database.url;
  const env = { ...base(definition.name, prefix), DATABASE_URL: databaseUrl, ...options.env };
  const config = parseConfig(definition.config, env);
  const logger = options.logger ?? createLogger(definition.name, config.LOG_LEVEL);
  const asOwner = (statement: string, parameters: unknown[] = []) => sql(database.ownerUrl, statement, parameters);
  await options.beforeStart?.(asOwner);
  let running: RunningService = await startService(
    withSerialJobs(definition, options.jobless),
    config,
    logger,
    options.clock,
  );

  let asked: string | undefined;
  const signer = signerTowards(definition.name);
  const rowsOf = <Row>(statement: string, parameters: unknown[] = []) =>
    rows<Row>(running.database.manager, statement, parameters);

  async function publishAs<Name extends EventName>(
    name: Name,
    data: EventData<Name>,
    from: ServiceName = definition.name,
  ): Promise<string> {
    return publishUnchecked(name, catalogue[name].schema.parse(data), from);
  }

  async function publishUnchecked(name: EventName, data: object, from: ServiceName = definition.name): Promise<string> {
    const id = randomUUID();
    const message = { id, name, data, context: {}, created_at: new Date().toISOString() };
    const header = headers();
    header.set('Event-Name', name);
    const subject = running.bus.subject(hasManyPublishers(name) ? `${subjectOf(name)}.${from}` : subjectOf(name));
    await running.bus.js.publish(subject, JSON.stringify(message), { ...NATS_TIMEOUT, msgID: id, headers: header });
    return id;
  }

  async function received(name: EventName, id: string): Promise<void> {
    const isHandled = async () => (await rowsOf(HANDLED, [id])).length > 0;
    await eventually(`${definition.name} receives ${name}`, isHandled);
  }

  return {
    get url() {
      return running.url;
    },
    get service() {
      return running;
    },
    prefix,
    config,
    /** Environment of another process of the service. */
    environment: { ...env, ...COMPILE_CACHE } as Record<string, string>,
    /** Environment of a gateway in front of this service. */
    gatewayEnvironment: base('gateway', prefix),
    signer,
    ownerUrl: database.ownerUrl,
    /** Calls the service as the gateway would. */
    get api() {
      return signedClient(asked ?? running.url, signer);
    },
    /** Makes `api` call the replica at `url`; undefined: the replica in this process. */
    ask: (url: string | undefined) => void (asked = url),
    /** Runs a job once, after the run in progress. */
    runJob: (name: string) => running.jobs.find((job) => job.name === name)!.run(),
    /** Queries as the service's role. */
    rows: rowsOf,
    /** Runs SQL as the schema's owner: for anything that the service must not do. */
    asOwner,
    /**
     * Runs `lock`, waits until the condition `until` (by default: another session waits for the lock) and runs `then`,
     * all PL/pgSQL in one transaction, because waiting sessions time out after two seconds and a test may be slow.
     * Resolves when the lock is held; `released` resolves at the end.
     */
    lockUntil: async (lock: string, { until = AWAITED, then = '' } = {}): Promise<{ released: Promise<unknown> }> => {
      const released = asOwner(
        `do $$ begin ${lock}; while not (${until}) loop perform pg_sleep(0.01); end loop; ${then} end $$`,
      );
      await Promise.race([released, eventually('the lock is held', async () => (await asOwner(HOLDING)).length > 0)]);
      return { released };
    },
    /**
     * Terminates all connections of the service to its database, as a crash of the server does: uncommitted work is
     * lost. Returns their number when they are closed.
     */
    cutConnections: async () => {
      const cut = await sql(
        database.url,
        'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = $1',
        [definition.name],
      );
      const pids = cut.map(({ pid }) => pid);
      const left = () => sql(database.url, 'select from pg_stat_activity where pid = any($1)', [pids]);
      await eventually('connections are cut', async () => (await left()).length === 0);
      return pids.length;
    },
    /** Sets the service's clock, `app_now()`, to now plus `seconds`. */
    shiftClock: (seconds: number) =>
      sql(
        database.ownerUrl,
        'insert into app_clock (shift) values (make_interval(secs => $1)) on conflict (only_row) do update set shift = excluded.shift',
        [seconds],
      ),
    /** Data of the published events of this name, oldest first. */
    published: async <Name extends EventName>(name: Name) =>
      (
        await rowsOf<{ data: EventData<Name> }>(
          'select data from outbox where name = $1 and subject = $2 order by id',
          [name, subjectOf(name)],
        )
      ).map(({ data }) => data),
    /** Published live events with their audience, oldest first. An event for a pair is listed once for each user. */
    live: async () => {
      const published = await rowsOf<{ address: string; event: string; data: Record<string, unknown> }>(
        `select aggregate_id as address, name as event, data from outbox where subject like 'live.%' order by id`,
      );
      return published.flatMap(({ address, event, data }) => audienceOf(address).map((to) => ({ to, event, data })));
    },
    /**
     * Publishes an event as another service (`from`, for events with several publishers); waits until it is consumed.
     */
    receive: async <Name extends EventName>(name: Name, data: EventData<Name>, from?: ServiceName) =>
      received(name, await publishAs(name, data, from)),
    /** Like `receive`, with data of a newer release, which need not match the catalogue. */
    receiveNewer: async (name: EventName, data: object) => received(name, await publishUnchecked(name, data)),
    /** Publishes events while the consumer is paused, so that they arrive as one batch. Returns their ids. */
    receiveTogether: async <Name extends EventName>(name: Name, events: EventData<Name>[]) => {
      const { jsm, named } = running.bus;
      const { owner } = catalogue[name];
      const consumer = [named(eventsOf(owner)), named(definition.name)] as const;
      await jsm.consumers.pause(...consumer, new Date(Date.now() + PAUSE_MS));
      const ids: string[] = [];
      for (const data of events) ids.push(await publishAs(name, data));
      await jsm.consumers.resume(...consumer);
      return ids;
    },
    /** Stops the service gracefully and starts it again on the same database and streams. */
    restart: async (meanwhile?: () => Promise<void>) => {
      await running.stop();
      await meanwhile?.();
      running = await startService(withSerialJobs(definition, options.jobless), config, logger, options.clock);
    },
    stop: async () => {
      const { jsm, named } = running.bus;
      if (options.prefix === undefined) {
        for (const stream of topology.streams) await jsm.streams.delete(named(stream)).catch(() => undefined);
      }
      // A busy machine may take longer than a stop may; the sessions of what is left end with the database.
      await running.stop().catch((error: Error) => {
        if (!error.message.startsWith('could not stop')) throw error;
      });
      await database.drop();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;
