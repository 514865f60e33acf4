import { isDeepStrictEqual } from 'node:util';
import { nanos, RequestError } from '@nats-io/transport-node';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { ConfigError, type StreamLimits } from '../process/config.ts';
import { ACK_WAIT_MS } from '../process/deadlines.ts';
import type { Logger } from '../process/logger.ts';
import { SERVICES, type ServiceName } from '../process/names.ts';
import { CONSUMES, filterOf, resyncSubjectOf, type EventName } from './catalogue.ts';
import { connectNats } from './nats.ts';

const HOURS = 60 * 60 * 1_000_000_000;
const DUPLICATE_WINDOW = 2 * 60 * 1_000_000_000;

/** First word of each stream's subjects. Each stream has its own bytes, so that none can use up another's. */
export const STREAMS = ['events', 'live', 'revocations'] as const;

/** Where the stream `live` republishes what it has stored, with its sequence. */
export const STORED_LIVE = 'stored.live';

/**
 * A header of events that were published before and lost by the stream. What lies before such an event in the stream is not
 * what lay before it when it was first heard.
 */
export const AGAIN = 'Event-Again';

/** A service's consumers: of what is published to all, and of what is published again, in pages, for this one alone. */
export const consumersOf = (service: string) => [service, `${service}-resync`] as const;

/** The settings of an existing stream that can be changed. */
type Changeable = Pick<StreamConfig, 'subjects' | 'max_age' | 'max_bytes'> & Partial<Pick<StreamConfig, 'republish'>>;

/** Connects to NATS; waits for a server that is not there yet, and reconnects forever. */
export async function connectBus(options: {
  url: string;
  prefix: string;
  name: string;
  limits: StreamLimits;
  logger: Logger;
}) {
  const { prefix, limits, logger } = options;
  const { connection, isConnected, reconnects } = await connectNats(options);
  let closing = false;
  // The client never gives up by itself; should it do so all the same, the process exits and is started again.
  void connection.closed().then((error) => {
    if (!closing) throw new Error('the NATS connection closed for good', { cause: error });
  });
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const named = (name: string) => `${prefix}-${name}`;
  const subject = (text: string) => `${prefix}.${text}`;

  const streams = wantedStreams(limits, subject);

  /** No server answers a process that may not change streams and consumers. */
  async function change(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!hasNoResponder(error)) throw error;
      logger.debug({ err: error }, 'streams and consumers stay as they are');
    });
  }

  return {
    connection,
    js: jetstream(connection),
    jsm,
    /** Name of a stream or durable of this system. */
    named,
    /** Subject of this system: `subject('events.user.changed')`. */
    subject,
    /**
     * Creates the streams, or updates them. A refusal by the server is logged and returned, and the stream stays as it is;
     * a user without the permission changes nothing.
     */
    ensureStreams: async (): Promise<Refusal[]> => {
      const refusals: Refusal[] = [];
      for (const name of STREAMS) {
        await change(() => ensureStream(jsm, named(name), streams[name])).catch((error: unknown) => {
          if (!(error instanceof JetStreamApiError)) throw error;
          logger.error({ err: error, stream: named(name) }, 'NATS refuses to create or update the stream');
          refusals.push({ stream: named(name), error });
        });
      }
      return refusals;
    },
    /** The same for the consumers through which a service receives these events. */
    ensureConsumers: (service: ServiceName, names: EventName[]): Promise<void> =>
      change(async () => {
        const [main, resync] = consumersOf(service);
        const filters = { [main]: names.map(filterOf), [resync]: names.map((name) => resyncSubjectOf(name, service)) };
        for (const [consumer, subjects] of Object.entries(filters))
          await ensureConsumer(jsm, named('events'), named(consumer), subjects.map(subject));
      }),
    /** What of this process waits for streams or consumers that are not there yet. */
    awaiting: new Set<string>(),
    /** How often it has connected again: what was acknowledged before may be gone. */
    reconnects,
    isConnected: () => isConnected() && !closing && !connection.isClosed(),
    close: async (): Promise<void> => {
      closing = true;
      if (connection.isClosed()) return;
      await connection.drain().catch(() => connection.close());
    },
  };
}

export type Bus = Awaited<ReturnType<typeof connectBus>>;

interface Refusal {
  stream: string;
  error: JetStreamApiError;
}

/**
 * Creates or updates the streams and every service's consumers, as a user with that permission. Throws ConfigError when
 * NATS refuses to create a stream; a refused update is logged and the stream stays as it is.
 */
export async function makeStreams(options: Parameters<typeof connectBus>[0]): Promise<void> {
  const bus = await connectBus(options);
  try {
    for (const { stream, error } of await bus.ensureStreams())
      await bus.jsm.streams.info(stream).catch((missing: unknown) => {
        if (!isStreamMissing(missing)) throw missing;
        const { NATS_EVENTS_BYTES, NATS_LIVE_BYTES, NATS_REVOCATIONS_BYTES } = options.limits;
        const wanted = NATS_EVENTS_BYTES + NATS_LIVE_BYTES + NATS_REVOCATIONS_BYTES;
        throw new ConfigError(
          `NATS refuses to create the stream ${stream}: ${error.message}. The streams may take ${wanted} bytes together: raise max_file_store of the NATS servers, or lower NATS_EVENTS_BYTES and NATS_LIVE_BYTES`,
        );
      });
    for (const service of SERVICES) await bus.ensureConsumers(service, CONSUMES[service]);
  } finally {
    await bus.close();
  }
}

/** The desired settings of the streams. */
function wantedStreams(limits: StreamLimits, subject: (text: string) => string) {
  return {
    events: {
      subjects: [subject('events.>'), subject('resync.>')],
      max_age: limits.NATS_EVENTS_HOURS * HOURS,
      max_bytes: limits.NATS_EVENTS_BYTES,
    },
    live: {
      subjects: [subject('live.>')],
      max_age: limits.NATS_LIVE_HOURS * HOURS,
      max_bytes: limits.NATS_LIVE_BYTES,
      // To gateways, which may not make consumers: whoever may has the server send events to any subject.
      republish: { src: subject('live.>'), dest: subject(`${STORED_LIVE}.>`) },
    },
    revocations: {
      subjects: [subject('revocations.>')],
      max_age: HOURS,
      max_bytes: limits.NATS_REVOCATIONS_BYTES,
      // With its number, by which gateways notice that one is missing.
      republish: { src: subject('revocations.>'), dest: subject('events.>') },
    },
  };
}

async function ensureStream(jsm: JetStreamManager, name: string, changeable: Changeable): Promise<void> {
  // The relay publishes in atomic batches. Published messages cannot be deleted; these two settings cannot be switched
  // off.
  const wanted = { ...changeable, allow_atomic: true, deny_delete: true, deny_purge: true };
  try {
    const { config } = await jsm.streams.info(name);
    // Only when needed: NATS up to 2.14.5 forgets when a stream was created if it is updated between two restarts, and
    // that time is how a stream that was made again is recognised.
    if (!isAsWanted(config, wanted)) await jsm.streams.update(name, wanted);
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
    await jsm.streams.add({
      name,
      ...wanted,
      duplicate_window: DUPLICATE_WINDOW,
      storage: 'file',
      discard: 'old',
      allow_direct: true,
    });
  }
}

async function ensureConsumer(jsm: JetStreamManager, stream: string, name: string, subjects: string[]): Promise<void> {
  const wanted = {
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
    // The sets of four replicas.
    max_ack_pending: 1_024,
    filter_subjects: subjects,
  };
  try {
    const { config } = await jsm.consumers.info(stream, name);
    if (!isAsWanted(config, wanted)) await jsm.consumers.update(stream, name, wanted);
  } catch (error) {
    if (!isConsumerMissing(error)) throw error;
    await jsm.consumers.add(stream, { ...wanted, durable_name: name, deliver_policy: DeliverPolicy.All });
  }
}

const isAsWanted = <Config extends object>(config: Config, wanted: Partial<Config>) =>
  Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(config[key as keyof Config], value));

const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;

export const isStreamMissing = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === STREAM_NOT_FOUND;
export const isConsumerMissing = (error: unknown) =>
  error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND;

/** True when nobody subscribes to what was published. */
const hasNoResponder = (error: unknown) =>
  error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();

const isNotMadeYet = (error: unknown) => isStreamMissing(error) || isConsumerMissing(error) || hasNoResponder(error);

/**
 * Logs failures of repeated work: each reason once, until the work has recovered. All that waits for streams which
 * nobody has made yet shares `awaiting`, and one line.
 */
export function createFailureLog(logger: Logger, what: string, { awaiting }: { awaiting: Set<string> }) {
  let reported: string | undefined;

  function waits(): void {
    if (awaiting.size === 0) logger.info('waiting for the streams, which the migration of identity makes');
    awaiting.add(what);
  }

  return {
    failed: (error: unknown) => {
      if (isNotMadeYet(error)) return waits();
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== reported) logger.warn({ err: error }, `${what} fails and is tried again`);
      reported = reason;
    },
    recovered: () => {
      if (reported !== undefined) logger.info(`${what} has recovered`);
      reported = undefined;
      if (awaiting.delete(what) && awaiting.size === 0) logger.info('the streams are there');
    },
  };
}
