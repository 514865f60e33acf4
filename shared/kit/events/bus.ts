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
import { subjectsOf, type Messages } from './catalogue.ts';
import { connectNats } from './nats.ts';
import { eventsOf, PREVIOUS, topologyOf, type ConsumerOf, type Topology } from './streams.ts';

const HOURS = 60 * 60 * 1_000_000_000;
const DUPLICATE_WINDOW = 2 * 60 * 1_000_000_000;

/** First tokens of the subjects on which the stream `live` republishes stored messages with their sequence. */
export const STORED_LIVE = 'stored.live';

/**
 * Header of an event that is published again because the stream lost it. It may have different predecessors in the
 * stream than at its first delivery.
 */
export const REPUBLISHED = 'Event-Again';

/** Stream settings that NATS can change on an existing stream. */
type Changeable = Pick<StreamConfig, 'subjects' | 'max_age' | 'max_bytes'> &
  Partial<Pick<StreamConfig, 'republish' | 'sources'>>;

/** Connects to NATS. Waits until a server is available, and reconnects forever. */
export async function connectBus(options: {
  url: string;
  prefix: string;
  name: string;
  limits: StreamLimits;
  logger: Logger;
  messages: Messages;
}) {
  const { prefix, limits, logger, messages } = options;
  const { connection, isConnected, reconnects } = await connectNats(options);
  let closing = false;
  // The client reconnects forever. If it gives up all the same, the process exits and its supervisor restarts it.
  void connection.closed().then((error) => {
    if (!closing) throw new Error('the NATS connection closed for good', { cause: error });
  });
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const named = (name: string) => `${prefix}-${name}`;
  const subject = (text: string) => `${prefix}.${text}`;

  const topology = topologyOf(messages);

  /** Without the permission to change streams and consumers, a request gets no responder: that is no error. */
  async function change(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!hasNoResponder(error)) throw error;
      logger.debug({ err: error }, 'no permission to change streams and consumers: they are left unchanged');
    });
  }

  let ensuring: Promise<Refusal[]> | undefined;
  async function ensureEach(): Promise<Refusal[]> {
    const refusals: Refusal[] = [];
    for (const [name, wanted] of Object.entries(wantedStreams(limits, topology, { named, subject })))
      await change(() => ensureStream(jsm, named(name), wanted)).catch((error: unknown) => {
        if (!(error instanceof JetStreamApiError)) throw error;
        logger.error({ err: error, stream: named(name) }, 'NATS refuses to create or update the stream');
        refusals.push({ stream: named(name), error });
      });
    return refusals;
  }

  return {
    connection,
    messages: { ...messages, ...subjectsOf(messages.events) },
    topology,
    js: jetstream(connection),
    jsm,
    /** Name of a stream or durable of this system. */
    named,
    /** Subject of this system: `subject('events.user.changed')`. */
    subject,
    /**
     * Creates or updates the streams. When NATS refuses, the error is logged and returned and the stream is unchanged.
     * Without the permission nothing is changed. Simultaneous calls share one attempt.
     */
    ensureStreams: (): Promise<Refusal[]> =>
      (ensuring ??= ensureEach().finally(() => {
        ensuring = undefined;
      })),
    /** Creates or updates a consumer; without the permission nothing is changed. */
    ensureConsumer: ({ stream, consumer, subjects }: ConsumerOf): Promise<void> =>
      change(() => ensureConsumer(jsm, named(stream), named(consumer), subjects.map(subject))),
    /** The parts of this process that wait for streams or consumers to be created. */
    awaiting: new Set<string>(),
    /** Number of reconnects. After one, the server may have lost acknowledged messages. */
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
 * Creates or updates the streams and every service's consumers; its NATS user needs the permission. Throws ConfigError
 * when NATS refuses to create a stream. A refused update is logged, and the stream is unchanged.
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
          `NATS refuses to create the stream ${stream}: ${error.message}. Together the streams reserve ${wanted} bytes: raise max_file_store of the NATS servers, or lower NATS_EVENTS_BYTES and NATS_LIVE_BYTES`,
        );
      });
    for (const consumer of bus.topology.allConsumers()) await bus.ensureConsumer(consumer);
  } finally {
    await bus.close();
  }
}

/** The desired settings of the streams, in the order in which they are created. */
function wantedStreams(
  limits: StreamLimits,
  { services, subjectsIn }: Topology,
  { named, subject }: Record<'named' | 'subject', (text: string) => string>,
): Record<string, Changeable> {
  const max_age = limits.NATS_EVENTS_HOURS * HOURS;
  // One part for each service's stream, two for the copies.
  const part = Math.floor(limits.NATS_EVENTS_BYTES / (services.length + 2));
  const eventsBy = (service: string) =>
    [eventsOf(service), { subjects: subjectsIn(service).map(subject), max_age, max_bytes: part }] as const;
  return {
    // First: it must give up the subjects of the others before they can be created.
    [PREVIOUS]: {
      subjects: [subject('resync.*.*.*')],
      max_age,
      max_bytes: 2 * part,
      sources: services.map((service) => ({ name: named(eventsOf(service)), filter_subject: subject('events.>') })),
    },
    ...Object.fromEntries(services.map(eventsBy)),
    live: {
      subjects: [subject('live.>')],
      max_age: limits.NATS_LIVE_HOURS * HOURS,
      max_bytes: limits.NATS_LIVE_BYTES,
      // For the gateways. They may not create consumers: a consumer could have the server send events to any subject.
      republish: { src: subject('live.>'), dest: subject(`${STORED_LIVE}.>`) },
    },
    revocations: {
      subjects: [subject('revocations.>')],
      max_age: HOURS,
      max_bytes: limits.NATS_REVOCATIONS_BYTES,
      // Republished with the sequence, by which gateways detect a missing message.
      republish: { src: subject('revocations.>'), dest: subject('events.>') },
    },
  };
}

async function ensureStream(jsm: JetStreamManager, name: string, changeable: Changeable): Promise<void> {
  // The relay publishes atomic batches. Published messages cannot be deleted; NATS cannot undo the two deny settings.
  const wanted = { ...changeable, allow_atomic: true, deny_delete: true, deny_purge: true };
  try {
    const { config } = await jsm.streams.info(name);
    // Only when needed: NATS up to 2.14.5 loses a stream's creation time when the stream is updated between two
    // restarts, and a recreated stream is recognised by that time.
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
    // One batch for each of four replicas.
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

/** True when nobody subscribes to the subject. */
const hasNoResponder = (error: unknown) =>
  error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();

const isNotCreatedYet = (error: unknown) => isStreamMissing(error) || isConsumerMissing(error) || hasNoResponder(error);

/**
 * Logs failures of retried work: each reason once, until the work has recovered. `task` names the work. Tasks that wait
 * for streams to be created share `awaiting` and one log line.
 */
export function createFailureLog(logger: Logger, task: string, { awaiting }: { awaiting: Set<string> }) {
  let reported: string | undefined;

  function waits(): void {
    if (awaiting.size === 0)
      logger.info('waiting for the NATS streams: run the migration of identity, which creates them');
    awaiting.add(task);
  }

  return {
    failed: (error: unknown) => {
      if (isNotCreatedYet(error)) return waits();
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== reported) logger.warn({ err: error }, `${task} failed and will retry`);
      reported = reason;
    },
    recovered: () => {
      if (reported !== undefined) logger.info(`${task} has recovered`);
      reported = undefined;
      if (awaiting.delete(task) && awaiting.size === 0) logger.info('the NATS streams exist now');
    },
  };
}
