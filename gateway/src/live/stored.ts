import { JetStreamError, PubHeaders, type DirectBatchStartTime, type StoredMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import { AGAIN, type Bus } from '@tutoring/shared/events/bus';
import { liveEvents } from '@tutoring/shared/events/live';
import type { Deps } from '../config.ts';

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

/**
 * How long before its id's time the search begins. An event is published soon after its id was made, by the clock of a
 * database, which may differ from the clock of NATS.
 */
const SEARCHES = [
  { aheadMs: 1_000, batch: 64 },
  { aheadMs: 3 * 60_000, batch: 1_000 },
];
const MESSAGE_NOT_FOUND = 404;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** When a uuid of version 7 was made, in milliseconds; never in the future. */
const madeAt = (id: string) => Math.min(Number.parseInt(id.slice(0, 13).replace('-', ''), 16), Date.now());

/** What the stream holds, or tells of what it has stored. */
export interface Stored extends Pick<LiveMessage, 'id' | 'address' | 'seq'> {
  tag: string;
  /** Undefined when it cannot be read. */
  read(): LiveMessage | undefined;
}

/** From its first message to its last one. */
export interface Bounds {
  epoch: string;
  first: number;
  last: number;
}

/** Empty when it is not a UUID: parts of it become text of streams. */
function idOf(header: MsgHdrs | undefined): string {
  const id = header?.get(PubHeaders.MsgIdHdr) ?? '';
  return UUID.test(id) ? id : '';
}

/**
 * Tells the events of a place apart, and one from itself when it was lost and has come again: before it may lie others
 * now.
 */
export function tagOf(header: MsgHdrs | undefined): string {
  const id = idOf(header);
  return header?.get(AGAIN) ? id.slice(-12, -4) : id.slice(-8);
}

const ownerOf = new Map<unknown, string>(Object.entries(liveEvents).map(([name, { owner }]) => [name, owner]));

/** Throws when it is not an event that the catalogue lets this service publish. */
function contentOf(text: string, service: string): Pick<LiveMessage, 'id' | 'name' | 'data'> {
  const { id, name, data } = JSON.parse(text) as LiveMessage;
  if (ownerOf.get(name) !== service) throw new Error(`${service} does not publish live events of this name`);
  if (typeof id !== 'string' || !UUID.test(id)) throw new Error('the id of a live event is not a UUID');
  if (typeof data !== 'object' || data === null) throw new Error('the data of a live event is not a JSON object');
  return { id, name, data };
}

/** Reads the stream of live events. */
export function createReader({ bus, logger }: Deps) {
  const stream = bus.named('live');
  const prefix = bus.subject('live.');
  /** The last word of a subject is the service that published it. */
  const subjectsOf = (audience: string) => `${prefix}${audience}.*`;
  function stored(message: Pick<StoredMsg, 'subject' | 'seq' | 'string'> & { header: MsgHdrs | undefined }): Stored {
    const { header, subject, seq } = message;
    const end = subject.lastIndexOf('.');
    const address = subject.slice(prefix.length, end);
    const read = () => {
      try {
        return { address, seq, ...contentOf(message.string(), subject.slice(end + 1)) };
      } catch (error) {
        logger.error({ err: error, seq }, 'a live event could not be read');
        return undefined;
      }
    };
    return { id: idOf(header), address, seq, tag: tagOf(header), read };
  }

  /** The stream's current bounds; of a stream that is made anew the epoch is another. */
  async function bounds(): Promise<Bounds> {
    const { created, state } = await bus.jsm.streams.info(stream);
    return { epoch: Date.parse(created).toString(36), first: state.first_seq, last: state.last_seq };
  }

  /** Whether the stream goes on behind this place: it has this event there, as far as it reaches back. */
  async function holds({ epoch, seq, tag }: Position, { epoch: current, first, last }: Bounds): Promise<boolean> {
    if (epoch !== current || seq > last || seq + 1 < first) return false;
    const there = tag === '' ? null : await bus.jsm.streams.getMessage(stream, { seq });
    return there === null || tagOf(there.header) === tag;
  }

  /**
   * The first place of the event `id` of this audience; undefined when it is not in the stream (any more), or has been
   * lost: before the place where it was published again may lie new ones.
   */
  async function find(audience: string, id: string): Promise<number | undefined> {
    if (!UUID_V7.test(id)) return undefined;
    const { state } = await bus.jsm.streams.info(stream);
    // Messages since then may be deleted already, even if the event itself was published again.
    if (state.first_seq > 1 && Date.parse(state.first_ts) > madeAt(id)) return undefined;
    for (const { aheadMs, batch } of SEARCHES) {
      const from = { start_time: new Date(madeAt(id) - aheadMs), next_by_subj: subjectsOf(audience), batch };
      for (const message of await batchOf(bus, stream, from))
        if (stored(message).id === id) return message.header.get(AGAIN) === '' ? message.seq : undefined;
    }
    return undefined;
  }

  /**
   * One audience's messages (a subject, perhaps with a wildcard) after `after` up to `upTo`, oldest first. From the
   * stream's leader: a replica might not yet have what was delivered here.
   */
  async function* read(audience: string, after: number, upTo: number): AsyncIterable<LiveMessage> {
    let last = after;
    while (last < upTo) {
      const next = { seq: last + 1, next_by_subj: subjectsOf(audience) };
      const message = await bus.jsm.streams.getMessage(stream, next);
      if (!message || message.seq > upTo) return;
      last = message.seq;
      const live = stored(message).read();
      if (live) yield live;
    }
  }

  return { stored, bounds, holds, find, read };
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
