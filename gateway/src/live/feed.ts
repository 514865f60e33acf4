import { setTimeout as sleep } from 'node:timers/promises';
import {
  JetStreamError,
  PubHeaders,
  RepublishHeaders,
  type DirectBatchStartTime,
  type StoredMsg,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { Msg } from '@nats-io/transport-node';
import { STORED_LIVE, type Bus } from '@tutoring/shared/events/bus';
import { liveEvents } from '@tutoring/shared/events/live';
import type { Logger } from '@tutoring/shared/process/logger';
import { PAUSE_MS, startLooking } from './looking.ts';

/**
 * A place in the stream of live events. Sequences start again when the stream is made anew, hence the epoch; a stream that
 * came back with less gives them to other events, hence the tag of the event there.
 */
export interface Position {
  epoch: string;
  seq: number;
  /** Empty: of no event. */
  tag: string;
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
  /** Whether the stream has this event at its place, as far as it reaches back. */
  holds(place: Position): Promise<boolean>;
  /** The stream's current bounds. */
  bounds(): Promise<{ epoch: string; first: number; last: number }>;
  /** The first place of the event `id` of this audience; undefined when it is not in the stream (any more). */
  find(audience: string, id: string): Promise<number | undefined>;
  /** One audience's messages (a subject, perhaps with a wildcard) after `after` up to `upTo`, oldest first. */
  read(audience: string, after: number, upTo: number): AsyncIterable<LiveMessage>;
  stop(): void;
}

/** Missed events that are asked for together. */
const AT_ONCE = 100;

/**
 * How long before its id's time the search begins. An event is published soon after its id was made, by the clock of a
 * database, which may differ from the clock of NATS.
 */
const SEARCHES = [
  { aheadMs: 1_000, batch: 64 },
  { aheadMs: 3 * 60_000, batch: 1_000 },
];
const MESSAGE_NOT_FOUND = 404;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When a uuid of version 7 was made, in milliseconds; never in the future. */
const madeAt = (id: string) => Math.min(Number.parseInt(id.slice(0, 13).replace('-', ''), 16), Date.now());

/** What the stream holds, or tells of what it has stored. */
interface Stored {
  id: string;
  address: string;
  service: string;
  seq: number;
  string(): string;
}

const tagOf = (eventId = '') => eventId.slice(-8);

const owners: Partial<Record<string, string>> = Object.fromEntries(
  Object.entries(liveEvents).map(([name, { owner }]) => [name, owner]),
);

/** Throws when another service published it than its name says. */
function parsed({ address, service, seq, string }: Stored): LiveMessage {
  const { id, name, data } = JSON.parse(string()) as { id: string; name: string; data: unknown };
  if ((owners[name] ?? service) !== service) throw new Error(`${service} does not publish ${name}`);
  return { id, address, seq, name, data };
}

/**
 * Passes every new event of the stream to `onMessage`, in order: as the stream tells it, and what did not arrive as the
 * stream holds it. It calls `onReset` when it cannot: the stream is another one, or came back with less.
 */
export function startLiveFeed(options: {
  bus: Bus;
  logger: Logger;
  /** Whether anybody is connected for this address; messages for others are not even read. */
  isHeard: (address: string) => boolean;
  onMessage: (message: LiveMessage) => void;
  onReset: (isNewStream: boolean) => void;
}): LiveFeed {
  const { bus, logger, isHeard, onMessage, onReset } = options;
  const stream = bus.named('live');
  const prefix = bus.subject('live.');
  let position: Position | undefined;
  /** Everything up to here is handed out, so the next event counts as it arrives. */
  let isUpToDate = false;
  let newestArrived = 0;
  /** The newest place that was told, ever. */
  let told = 0;
  const started = Promise.withResolvers<void>();

  /** The last word of a subject is the service that published it. */
  const subjectsOf = (audience: string) => `${prefix}${audience}.*`;
  const addressOf = (subject: string) => {
    const end = subject.lastIndexOf('.');
    return { address: subject.slice(prefix.length, end), service: subject.slice(end + 1) };
  };
  const stored = (message: StoredMsg): Stored => ({
    id: message.header.get(PubHeaders.MsgIdHdr),
    ...addressOf(message.subject),
    seq: message.seq,
    string: () => message.string(),
  });

  function handOut(message: Stored): void {
    if (!position) return;
    position.seq = message.seq;
    position.tag = tagOf(message.id);
    const live = isHeard(message.address) && readable(message);
    if (live) onMessage(live);
  }

  function readable(message: Stored): LiveMessage | undefined {
    try {
      return parsed(message);
    } catch (error) {
      logger.error({ err: error, seq: message.seq }, 'a live event could not be read');
      return undefined;
    }
  }

  /** Nothing counts as it arrives before a look has shown that the stream goes on where this process is. */
  function doubt(): void {
    isUpToDate = false;
    looking.wake();
  }

  /** An event arrives that the stream has just stored. One that is older is known, or the stream has lost some. */
  function onTold(message: Msg): void {
    const seq = Number(message.headers?.get(RepublishHeaders.Sequence));
    const goesBack = seq <= told;
    told = seq;
    newestArrived = Math.max(newestArrived, seq);
    if (goesBack) doubt();
    if (!isUpToDate || !position || seq <= position.seq) return;
    if (seq === position.seq + 1) {
      const { headers: header } = message;
      const id = header?.get(PubHeaders.MsgIdHdr) ?? '';
      // The subject that it was stored under: another gateway could have a stored message sent here under any.
      handOut({ id, ...addressOf(header?.get(RepublishHeaders.Subject) ?? ''), seq, string: () => message.string() });
    } else {
      logger.info({ seq: position.seq, arrived: seq }, 'live events are missing: they are read from the stream');
      doubt();
    }
  }

  /** The stream, and whether it goes on where this process is. */
  async function ask(): Promise<{ info: StreamInfo; continues: boolean }> {
    newestArrived = 0;
    const known = position && { ...position };
    const info = await bus.jsm.streams.info(stream);
    const { first_seq, last_seq } = info.state;
    if (!known || known.epoch !== epochOf(info) || known.seq > last_seq || known.seq + 1 < first_seq)
      return { info, continues: false };
    return { info, continues: await holds(known) };
  }

  async function holds({ seq, tag }: Position): Promise<boolean> {
    const there = tag === '' ? null : await bus.jsm.streams.getMessage(stream, { seq });
    return there === null || tagOf(stored(there).id) === tag;
  }

  async function startAtEnd(info: StreamInfo): Promise<void> {
    const { last_seq } = info.state;
    const last = last_seq === 0 ? null : await bus.jsm.streams.getMessage(stream, { seq: last_seq });
    const before = position;
    isUpToDate = false;
    position = { epoch: epochOf(info), seq: last_seq, tag: tagOf(last?.header.get(PubHeaders.MsgIdHdr)) };
    started.resolve();
    if (before) onReset(before.epoch !== position.epoch);
  }

  /** Hands out what has not arrived, from the stream's leader. False when the stream does not hold it any more. */
  async function readOn(last: number): Promise<boolean> {
    if (!position || position.seq < last) isUpToDate = false;
    for (let at = position?.seq ?? last; at < Math.max(last, newestArrived); at = position?.seq ?? last) {
      const length = Math.min(AT_ONCE, Math.max(last, newestArrived) - at);
      const asked = Array.from({ length }, (_, n) => bus.jsm.streams.getMessage(stream, { seq: at + 1 + n }));
      for (const message of await Promise.all(asked)) {
        if (!message) return false;
        handOut(stored(message));
      }
    }
    isUpToDate = true;
    return true;
  }

  async function look(): Promise<void> {
    let now = await ask();
    if (position && !now.continues) {
      // A new leader of the stream may not have caught up yet.
      await sleep(PAUSE_MS);
      now = await ask();
    }
    if (!now.continues) await startAtEnd(now.info);
    while (!(await readOn(now.info.state.last_seq))) await startAtEnd((now = await ask()).info);
  }

  const looking = startLooking({ bus, logger, look, onReconnect: doubt });
  const subscription = bus.connection.subscribe(bus.subject(`${STORED_LIVE}.>`), {
    callback: (error, message) => {
      if (error) logger.error({ err: error }, 'live events are not heard');
      else onTold(message);
    },
  });
  return {
    position: () => position,
    started: started.promise,
    holds,
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
        const from = { start_time: new Date(madeAt(id) - aheadMs), next_by_subj: subjectsOf(audience), batch };
        for (const message of await batchOf(bus, stream, from)) if (stored(message).id === id) return message.seq;
      }
      return undefined;
    },
    // From the stream's leader: a replica might not yet have what was delivered here.
    read: async function* (audience, after, upTo) {
      let last = after;
      while (last < upTo) {
        const next = { seq: last + 1, next_by_subj: subjectsOf(audience) };
        const message = await bus.jsm.streams.getMessage(stream, next);
        if (!message || message.seq > upTo) return;
        last = message.seq;
        const live = readable(stored(message));
        if (live) yield live;
      }
    },
    stop: () => {
      subscription.unsubscribe();
      looking.stop();
    },
  };
}

/** Empty when the stream holds none from there on. */
async function batchOf(bus: Bus, stream: string, from: DirectBatchStartTime): Promise<StoredMsg[]> {
  const messages: StoredMsg[] = [];
  try {
    for await (const message of await bus.jsm.direct.getBatch(stream, from)) messages.push(message);
  } catch (error) {
    if (!(error instanceof JetStreamError && 'code' in error && error.code === MESSAGE_NOT_FOUND)) throw error;
  }
  return messages;
}

const epochOf = (info: StreamInfo) => Date.parse(info.created).toString(36);
