import { isDeepStrictEqual } from 'node:util';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import {
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { StreamLimits } from '../config.ts';
import type { Logger } from '../logger.ts';

const STREAM_NOT_FOUND = 10_059;
const HOURS = 60 * 60 * 1_000_000_000;
const DUPLICATE_WINDOW = 2 * 60 * 1_000_000_000;

/** The first word of the subjects of each. Each has bytes of its own, so that none can take another's place. */
export const STREAMS = ['events', 'live', 'revocations'] as const;

export interface Bus {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  /** Name of a stream or durable of this system. */
  named(name: string): string;
  /** Subject of this system: `subject('events.user.changed')`. */
  subject(subject: string): string;
  /** Creates the streams, or brings them up to date. What the server refuses is logged and stays as it is. */
  ensureStreams(): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}

/** What can be changed of a stream that is there. */
type Changeable = Pick<StreamConfig, 'subjects' | 'max_age' | 'max_bytes'> & Partial<Pick<StreamConfig, 'republish'>>;

/** Connects to NATS and stays: waits for a server that is not there yet, reconnects for ever. */
export async function connectBus(options: {
  url: string;
  prefix: string;
  name: string;
  limits: StreamLimits;
  logger: Logger;
}): Promise<Bus> {
  const { prefix, limits, logger } = options;
  const url = new URL(options.url);
  const token = url.password || url.username;
  const connection = await connect({
    servers: url.host,
    ...(url.password ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : {}),
    ...(token && !url.password ? { token: decodeURIComponent(token) } : {}),
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 100,
    waitOnFirstConnect: true,
    pingInterval: 5_000,
    maxPingOut: 2,
    ignoreAuthErrorAbort: true,
  });
  let connected = true;
  let closing = false;
  // The client never gives up by itself; should it do so all the same, the process ends and is started anew.
  void connection.closed().then((error) => {
    if (!closing) throw new Error('the NATS connection closed for good', { cause: error });
  });
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection') connected = false;
      if (status.type === 'reconnect') connected = true;
      if (status.type !== 'ping') logger.debug({ status: status.type }, 'nats');
    }
  })();
  const jsm = await jetstreamManager(connection, { checkAPI: false });
  const named = (name: string) => `${prefix}-${name}`;
  const subject = (text: string) => `${prefix}.${text}`;

  const streams = wantedStreams(limits, subject);

  return {
    connection,
    js: jetstream(connection),
    jsm,
    named,
    subject,
    ensureStreams: async () => {
      for (const name of STREAMS) {
        await ensureStream(jsm, named(name), streams[name]).catch((error: unknown) => {
          if (!(error instanceof JetStreamApiError)) throw error;
          logger.error({ err: error, stream: named(name) }, 'the server refuses to make the stream as it should be');
        });
      }
    },
    isConnected: () => connected && !connection.isClosed(),
    close: async () => {
      closing = true;
      if (connection.isClosed()) return;
      await connection.drain().catch(() => connection.close());
    },
  };
}

/** What the streams shall be like. */
function wantedStreams(limits: StreamLimits, subject: Bus['subject']): Record<(typeof STREAMS)[number], Changeable> {
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
    },
    revocations: {
      subjects: [subject('revocations.>')],
      max_age: HOURS,
      max_bytes: limits.NATS_REVOCATIONS_BYTES,
      // For gateways of the release before, which listen there.
      republish: { src: subject('revocations.>'), dest: subject('events.>') },
    },
  };
}

async function ensureStream(jsm: JetStreamManager, name: string, changeable: Changeable): Promise<void> {
  // The relay publishes in atomic batches.
  const wanted = { ...changeable, allow_atomic: true };
  try {
    const { config } = await jsm.streams.info(name);
    // Not without need: NATS up to 2.14.5 forgets when a stream was created that is updated between two restarts, and the
    // time of creation is what tells a stream from one that was made anew.
    const isAsWanted = Object.entries(wanted).every(([key, value]) =>
      isDeepStrictEqual(config[key as keyof StreamConfig], value),
    );
    if (!isAsWanted) await jsm.streams.update(name, wanted);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error;
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
