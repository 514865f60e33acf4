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
import type { Logger } from '../logger.ts';

const STREAM_NOT_FOUND = 10_059;
const DAYS = 24 * 60 * 60 * 1_000_000_000;
const DUPLICATE_WINDOW = 2 * 60 * 1_000_000_000;

export interface Bus {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  /** Name of a stream or durable of this system. */
  named(name: string): string;
  /** Subject of this system: `subject('events.user.changed')`. */
  subject(subject: string): string;
  /** Creates the streams, or brings them up to date. */
  ensureStreams(): Promise<void>;
  isConnected(): boolean;
  close(): Promise<void>;
}

type WantedStream = Pick<StreamConfig, 'name' | 'subjects' | 'max_age' | 'duplicate_window'>;

/** Connects to NATS and stays: waits for a server that is not there yet, reconnects for ever. */
export async function connectBus(options: { url: string; prefix: string; name: string; logger: Logger }): Promise<Bus> {
  const { prefix, logger } = options;
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

  const streams: WantedStream[] = [
    {
      name: named('events'),
      subjects: [subject('events.>'), subject('resync.>')],
      max_age: 14 * DAYS,
      duplicate_window: DUPLICATE_WINDOW,
    },
    { name: named('live'), subjects: [subject('live.>')], max_age: 2 * DAYS, duplicate_window: DUPLICATE_WINDOW },
  ];

  return {
    connection,
    js: jetstream(connection),
    jsm,
    named,
    subject,
    ensureStreams: async () => {
      for (const stream of streams) await ensureStream(jsm, stream);
    },
    isConnected: () => connected && !connection.isClosed(),
    close: async () => {
      closing = true;
      if (connection.isClosed()) return;
      await connection.drain().catch(() => connection.close());
    },
  };
}

async function ensureStream(jsm: JetStreamManager, wanted: WantedStream): Promise<void> {
  // The relay publishes in atomic batches.
  const changeable = { subjects: wanted.subjects, max_age: wanted.max_age, allow_atomic: true };
  try {
    const { config } = await jsm.streams.info(wanted.name);
    // Not without need: NATS up to 2.14.5 forgets when a stream was created that is updated between two restarts, and the
    // time of creation is what tells a stream from one that was made anew.
    const { subjects, max_age, allow_atomic } = config;
    const isAsWanted = isDeepStrictEqual({ subjects, max_age, allow_atomic }, changeable);
    if (!isAsWanted) await jsm.streams.update(wanted.name, changeable);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== STREAM_NOT_FOUND) throw error;
    await jsm.streams.add({ ...wanted, ...changeable, storage: 'file', discard: 'old', allow_direct: true });
  }
}
