import { JetStreamError, PubHeaders, type DirectBatchStartTime, type StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { REPUBLISHED, type Bus } from '@tutoring/shared/kit/events/bus';
import { liveEvents } from '@tutoring/shared/contract/live-events';
import type { Parts } from '../parts.ts';

/**
 * A position in the stream of live events. The epoch tells a recreated stream, whose sequences start again, from the
 * old one. The tag identifies the event at `seq`: a stream that lost messages gives their sequences to other events.
 */
export interface Position {
  epoch: string;
  seq: number;
  /** Empty when the position is not that of an event. */
  tag: string;
}

export interface LiveMessage {
  /** The event's own id, which stays the same when the event is published again at another sequence. */
  id: string;
  /** Recipients: `user.<student>.<teacher>`, `user.<id>.<id>` for one person, or `admins`. */
  address: string;
  seq: number;
  name: string;
  data: unknown;
}

/**
 * The search for an event begins this long before the time in its id, because the database whose clock made the id and
 * NATS may disagree about the time.
 */
const SEARCHES = [
  { aheadMs: 1_000, batch: 64 },
  { aheadMs: 3 * 60_000, batch: 1_000 },
];
const MESSAGE_NOT_FOUND = 404;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The time in a version 7 UUID, in milliseconds since 1970; never in the future. */
const createdAtOf = (id: string) => Math.min(Number.parseInt(id.slice(0, 13).replace('-', ''), 16), Date.now());

/** An event as the stream stores or republishes it. */
export interface StoredEvent extends Pick<LiveMessage, 'id' | 'address' | 'seq'> {
  tag: string;
  /** Parses the event; undefined, and logged, when it is not valid. */
  read(): LiveMessage | undefined;
}

/** Sequences of the first and the last message of the stream. */
export interface StreamBounds {
  epoch: string;
  first: number;
  last: number;
}

/** The event's id; empty when it is not a UUID, because parts of it are written into event streams. */
function idOf(header: MsgHdrs | undefined): string {
  const id = header?.get(PubHeaders.MsgIdHdr) ?? '';
  return UUID.test(id) ? id : '';
}

/**
 * Identifies the event at a sequence. An event that was lost and published again gets another tag, because it may now
 * follow other events than before.
 */
export function tagOf(header: MsgHdrs | undefined): string {
  const id = idOf(header);
  return header?.get(REPUBLISHED) ? id.slice(-12, -4) : id.slice(-8);
}

const ownerOf = new Map<unknown, string>(Object.entries(liveEvents).map(([name, { owner }]) => [name, owner]));

/** Throws unless the text is an event that the catalogue lets this service publish. */
function parseEvent(text: string, service: string): Pick<LiveMessage, 'id' | 'name' | 'data'> {
  const { id, name, data } = JSON.parse(text) as LiveMessage;
  if (ownerOf.get(name) !== service) throw new Error(`${service} does not publish live events of this name`);
  if (typeof id !== 'string' || !UUID.test(id)) throw new Error('the id of a live event is not a UUID');
  if (typeof data !== 'object' || data === null) throw new Error('the data of a live event is not a JSON object');
  return { id, name, data };
}

/* Readers of the stream of live events. A subject ends with the name of the publishing service. */

const streamOf = ({ bus }: Parts) => bus.named('live');
const subjectsOf = ({ bus }: Parts, audience: string) => bus.subject(`live.${audience}.*`);

export function storedEvent(
  { bus, logger }: Parts,
  message: Pick<StoredMsg, 'subject' | 'seq' | 'string'> & { header: MsgHdrs | undefined },
): StoredEvent {
  const { header, subject, seq } = message;
  const end = subject.lastIndexOf('.');
  const address = subject.slice(bus.subject('live.').length, end);
  const read = () => {
    try {
      return { address, seq, ...parseEvent(message.string(), subject.slice(end + 1)) };
    } catch (error) {
      logger.error({ err: error, seq }, 'a live event is not valid and is skipped');
      return undefined;
    }
  };
  return { id: idOf(header), address, seq, tag: tagOf(header), read };
}

/** The stream's current bounds; a recreated stream has another epoch. */
export async function boundsOf(parts: Parts): Promise<StreamBounds> {
  const { created, state } = await parts.bus.jsm.streams.info(streamOf(parts));
  return { epoch: Date.parse(created).toString(36), first: state.first_seq, last: state.last_seq };
}

/** The stored message at a sequence; null when the stream does not have it. */
export const messageAt = (parts: Parts, seq: number) => parts.bus.jsm.streams.getMessage(streamOf(parts), { seq });

/**
 * Whether the stream continues from this position: it still has this event there, or has already dropped it by age.
 */
export async function continuesFrom(
  parts: Parts,
  { epoch, seq, tag }: Position,
  { epoch: current, first, last }: StreamBounds,
): Promise<boolean> {
  if (epoch !== current || seq > last || seq + 1 < first) return false;
  const there = tag === '' ? null : await messageAt(parts, seq);
  return there === null || tagOf(there.header) === tag;
}

/**
 * The first sequence of an audience's event; undefined when the stream does not contain it, or contains it only because
 * it was lost and published again: new events may precede it now.
 */
export async function findSequence(parts: Parts, audience: string, id: string): Promise<number | undefined> {
  if (!UUID_V7.test(id)) return undefined;
  const { bus } = parts;
  const { state } = await bus.jsm.streams.info(streamOf(parts));
  // Messages since then may already have expired, even if the event itself was published again.
  if (state.first_seq > 1 && Date.parse(state.first_ts) > createdAtOf(id)) return undefined;
  for (const { aheadMs, batch } of SEARCHES) {
    const from = { start_time: new Date(createdAtOf(id) - aheadMs), next_by_subj: subjectsOf(parts, audience), batch };
    for (const message of await readBatch(bus, streamOf(parts), from))
      if (storedEvent(parts, message).id === id)
        return message.header.get(REPUBLISHED) === '' ? message.seq : undefined;
  }
  return undefined;
}

/**
 * An audience's messages after `after`, up to and including `upTo`, oldest first. Read from the stream's leader: a
 * replica may lag behind the messages that were already delivered here.
 */
export async function* readEvents(
  parts: Parts,
  audience: string,
  after: number,
  upTo: number,
): AsyncIterable<LiveMessage> {
  let last = after;
  while (last < upTo) {
    const next = { seq: last + 1, next_by_subj: subjectsOf(parts, audience) };
    const message = await parts.bus.jsm.streams.getMessage(streamOf(parts), next);
    if (!message || message.seq > upTo) return;
    last = message.seq;
    const live = storedEvent(parts, message).read();
    if (live) yield live;
  }
}

/** Empty when the stream has no matching message from there on. */
async function readBatch(bus: Bus, stream: string, from: DirectBatchStartTime): Promise<StoredMsg[]> {
  const messages: StoredMsg[] = [];
  try {
    for await (const message of await bus.jsm.direct.getBatch(stream, from)) messages.push(message);
  } catch (error) {
    if (!(error instanceof JetStreamError && 'code' in error && error.code === MESSAGE_NOT_FOUND)) throw error;
  }
  return messages;
}
