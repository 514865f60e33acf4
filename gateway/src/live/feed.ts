import { DeliverPolicy, PubHeaders, type ConsumerMessages, type StreamInfo } from '@nats-io/jetstream';
import type { Bus } from '@tutoring/shared/events/bus';
import { createPauses } from '@tutoring/shared/events/pauses';
import type { Logger } from '@tutoring/shared/logger';

/** A place in the stream of live events. Sequences start again when the stream is made anew, hence the epoch. */
export interface Position {
  epoch: string;
  seq: number;
}

export interface LiveMessage {
  /** The event's own id: the same when it is published again, at another place of the stream. */
  id: string;
  /** Audience: `user.<student>.<teacher>`, `user.<id>.<id>` of one person, or `admins`. */
  address: string;
  seq: number;
  name: string;
  data: unknown;
}

export interface LiveFeed {
  /** Up to where messages have been delivered; undefined until the feed runs. */
  position(): Position | undefined;
  /** Resolves when there is a position. */
  started: Promise<void>;
  /** The stream's current bounds. */
  bounds(): Promise<{ epoch: string; first: number; last: number }>;
  /** The first place of the event `id` of this audience; undefined when it is not in the stream (any more). */
  find(audience: string, id: string): Promise<number | undefined>;
  /** One audience's messages (a subject, perhaps with a wildcard) after `after` up to `upTo`, oldest first. */
  read(audience: string, after: number, upTo: number): AsyncIterable<LiveMessage>;
  stop(): Promise<void>;
}

const PAUSE_MS = 250;

/**
 * How long before its id's time the search begins. An event is published soon after its id was made, by the clock of a
 * database, which may differ from the clock of NATS.
 */
const SEARCHES = [
  { aheadMs: 1_000, batch: 64 },
  { aheadMs: 3 * 60_000, batch: 1_000 },
];
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When a uuid of version 7 was made, in milliseconds. */
const madeAt = (id: string) => Number.parseInt(id.slice(0, 13).replace('-', ''), 16);

/**
 * The one consumer of this process on the stream of live events: passes every new message to `onMessage`, in order, and
 * continues where it was after any interruption. It calls `onReset` when it cannot: the stream is another one.
 */
export function startLiveFeed(options: {
  bus: Bus;
  logger: Logger;
  /** Whether anybody is connected for this address; messages for others are not even read. */
  isHeard: (address: string) => boolean;
  onMessage: (message: LiveMessage) => void;
  onReset: () => void;
}): LiveFeed {
  const { bus, logger, isHeard, onMessage, onReset } = options;
  const stream = bus.named('live');
  const prefix = bus.subject('live.');
  let position: Position | undefined;
  let messages: ConsumerMessages | undefined;
  const pauses = createPauses(logger, 'the live feed');
  let stopped = false;
  const started = Promise.withResolvers<void>();

  const parsed = (message: { subject: string; seq: number; string(): string }): LiveMessage => {
    const { id, name, data } = JSON.parse(message.string()) as { id: string; name: string; data: unknown };
    return { id, address: message.subject.slice(prefix.length), seq: message.seq, name, data };
  };

  function handOut(message: { subject: string; seq: number; string(): string }): void {
    try {
      if (isHeard(message.subject.slice(prefix.length))) onMessage(parsed(message));
    } catch (error) {
      logger.error({ err: error, seq: message.seq }, 'a live event could not be read');
    }
  }

  /** Where to continue; at the stream's end when it is not the stream that was read before. */
  function resumeAt(info: StreamInfo): Position {
    const { first_seq, last_seq } = info.state;
    const epoch = epochOf(info);
    const continues = position?.epoch === epoch && position.seq <= last_seq && position.seq + 1 >= first_seq;
    if (position && continues) return position;
    const isReset = position !== undefined;
    position = { epoch, seq: last_seq };
    started.resolve();
    if (isReset) onReset();
    return position;
  }

  async function term(): Promise<void> {
    await bus.ensureStreams();
    const current = resumeAt(await bus.jsm.streams.info(stream));
    const consumer = await bus.js.consumers.get(stream, {
      filter_subjects: `${prefix}>`,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: current.seq + 1,
    });
    let delivered = 0;
    const consumed = await consumer.consume({
      max_messages: 1_000,
      expires: 10_000,
      idle_heartbeat: 1_000,
      abort_on_missing_resource: true,
      // Not an iterator: a message counts before the heartbeat that follows it.
      callback: (message) => {
        if (stopped) return;
        delivered = message.info.deliverySequence;
        current.seq = message.seq;
        handOut(message);
      },
    });
    const notices = consumed.status();
    messages = consumed;
    pauses.goesOn();
    // Stopped meanwhile.
    if (stopped) void consumed.close();
    for await (const notice of notices) {
      // Messages were lost with a connection of NATS: the client's library would notice the last one only by a later
      // message, and stalls for seconds after a gap. Or the consumer is silent: it may be away with its server.
      const isMissing = notice.type === 'heartbeat' && notice.lastConsumerSequence > delivered;
      if (!isMissing && notice.type !== 'reset' && notice.type !== 'heartbeats_missed') continue;
      logger.info({ seq: current.seq, notice: notice.type }, 'live events are missing: a new consumer reads on');
      void consumed.close();
    }
    const error = await consumed.closed();
    if (error) throw error;
  }

  // The consumer may have been on the server that is away.
  void (async () => {
    for await (const { type } of bus.connection.status()) if (type === 'reconnect') void messages?.close();
  })();

  const running = (async () => {
    while (!stopped) {
      await term().catch((error: unknown) => {
        if (!stopped) pauses.pauses(error);
      });
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();

  return {
    position: () => position,
    started: started.promise,
    bounds: async () => {
      const info = await bus.jsm.streams.info(stream);
      return { epoch: epochOf(info), first: info.state.first_seq, last: info.state.last_seq };
    },
    find: async (audience, id) => {
      if (!UUID_V7.test(id)) return undefined;
      const { state } = await bus.jsm.streams.info(stream);
      // Messages since then may be deleted already, even if the event itself was published again.
      if (state.first_seq > 1 && Date.parse(state.first_ts) > madeAt(id)) return undefined;
      for (const { aheadMs, batch } of SEARCHES) {
        const from = { start_time: new Date(madeAt(id) - aheadMs), next_by_subj: prefix + audience, batch };
        for await (const message of await bus.jsm.direct.getBatch(stream, from))
          if (message.header.get(PubHeaders.MsgIdHdr) === id) return message.seq;
      }
      return undefined;
    },
    // From the stream's leader: a replica might not yet have what was delivered here.
    read: async function* (audience, after, upTo) {
      let last = after;
      while (last < upTo) {
        const next = { seq: last + 1, next_by_subj: prefix + audience };
        const message = await bus.jsm.streams.getMessage(stream, next);
        if (!message || message.seq > upTo) return;
        last = message.seq;
        yield parsed(message);
      }
    },
    stop: async () => {
      stopped = true;
      await messages?.close();
      await running;
    },
  };
}

const epochOf = (info: StreamInfo) => Date.parse(info.created).toString(36);
