import { JetStreamApiError, PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { row, rows, type Reader } from '../../database/sql.ts';
import { PUBLISH_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { SERVICES, type ServiceName } from '../../process/names.ts';
import { AGAIN, consumersOf, isConsumerMissing, type Bus } from '../bus.ts';
import { hasManyPublishers } from '../catalogue.ts';
import { isBeyondEnd } from '../consume/feed.ts';
import { OUTDATED_BY_NEXT } from '../live.ts';

/** Smallest atomic batch: with fewer events its extra round trip costs more than it saves. */
const WORTH_A_BATCH = 16;

/** What decides where an event is published. */
export interface Addressed {
  subject: string;
  name: string;
}

export interface PendingRow extends Addressed {
  id: number;
  event_id: string;
  data: string;
  context: string;
  created_at: string;
  /** The stream had it before, or may have had it. */
  is_again: boolean;
}

/** An event to send; data and context are JSON already. */
const messageOf = ({ event_id, name, data, context, created_at }: PendingRow) =>
  `{"id":"${event_id}","name":${JSON.stringify(name)},"data":${data},"context":${context},"created_at":"${created_at}"}`;

function headersOf({ event_id, name, is_again }: PendingRow) {
  const header = headers();
  header.set(PubHeaders.MsgIdHdr, event_id);
  header.set('Event-Name', name);
  if (is_again) header.set(AGAIN, '1');
  return header;
}

/** A row that the broker has stored. */
export interface Acked {
  row: PendingRow;
  /** Its place in the stream. */
  seq: number;
  /** The broker had it already. */
  isRepeat: boolean;
}

export interface Sent {
  /** The events before the first one that the broker did not take. */
  acked: Acked[];
  /** Why the broker did not take it. */
  failure?: Error;
}

/** Publishes rows of one stream in their order. */
export function createSender(service: ServiceName, bus: Bus, logger: Logger) {
  /** Where a row is published: what several services publish has a subject for each of them. */
  const subjectOf = ({ subject, name }: Addressed) =>
    bus.subject(subject.startsWith('live.') || hasManyPublishers(name) ? `${subject}.${service}` : subject);
  /** Sent and not marked: the stream may have had them. */
  const unmarked = new Set<number>();
  /** Each time anew: the client writes the place in a batch into the headers that it is given. */
  const readyOf = (row: PendingRow) => ({ subject: subjectOf(row), text: messageOf(row), headers: headersOf(row) });

  /** Publishes at least two rows: all or none, with one ack. Returns the place of the last. */
  async function publishTogether(rows: PendingRow[]): Promise<number> {
    const [first, ...others] = rows.map(readyOf);
    const last = others.pop();
    if (!first || !last) throw new Error('a batch has at least two messages');
    const acked = ({ headers }: typeof first) => ({ headers, timeout: PUBLISH_MS });
    const batch = await bus.js.startBatch(first.subject, first.text, acked(first));
    for (const { subject, text, headers } of others) batch.add(subject, text, { headers });
    return (await batch.commit(last.subject, last.text, acked(last))).seq;
  }

  async function publishEach(rows: PendingRow[]): Promise<Sent> {
    const results = await Promise.allSettled(
      rows
        .map(readyOf)
        .map(({ subject, text, headers }) => bus.js.publish(subject, text, { headers, timeout: PUBLISH_MS })),
    );
    const acked: Acked[] = [];
    for (const [index, result] of results.entries()) {
      if (result.status === 'rejected') return { acked, failure: result.reason as Error };
      const { seq, duplicate } = result.value;
      acked.push({ row: rows[index]!, seq, isRepeat: duplicate });
    }
    return { acked };
  }

  /** The broker refuses a batch that holds an event it already has: then each event is sent by itself. */
  async function send(rows: PendingRow[]): Promise<Sent> {
    for (const row of rows) {
      row.is_again ||= unmarked.has(row.id);
      unmarked.add(row.id);
    }
    if (rows.length < WORTH_A_BATCH) return publishEach(rows);
    try {
      const end = (await publishTogether(rows)) + 1;
      return { acked: rows.map((row, index) => ({ row, seq: end - rows.length + index, isRepeat: false })) };
    } catch (error) {
      logger.debug({ err: error }, 'a batch of events goes one by one');
      return publishEach(rows);
    }
  }

  return {
    send,
    subjectOf,
    marked: (ids: number[]) => {
      for (const id of ids) unmarked.delete(id);
    },
  };
}

/** How often the stream is asked whether it still has what it acknowledged. */
const CHECK_MS = 1_000;
/** No sequence of any stream. */
const IMPOSSIBLE = Number.MAX_SAFE_INTEGER;
/** How long the services may take to put back consumers that are beyond the end of the stream. */
const PUT_BACK_MS = 30_000;
/** Rows that one statement marks to be sent again. */
const AT_ONCE = 10_000;

/** The stream's rows that it has acknowledged and not dropped by their age, the newest first. */
const ACKED = `from outbox where outbox_lane(subject) = $1 and stream_seq is not null
  and sent_at > clock_timestamp() - $2 * interval '1 second' order by sent_at desc, stream_seq desc`;
const NTH = `select subject, name, stream_seq as seq ${ACKED} offset $3 limit 1`;
/** They keep the place that they had. The newest first: whoever goes on after a crash finds an older one that is lost, too. */
const UNMARK = `update outbox set sent_at = null where id = any(array(select id ${ACKED} limit $3))`;
/** What the next urgent event about the same thing has outdated. */
const DROP = `
  update outbox o set sent_at = clock_timestamp(), stream_seq = null from jsonb_each_text($1::jsonb) as outdated (name, key)
  where o.sent_at is null and o.urgent and o.name = outdated.name and exists (
    select from outbox later where later.sent_at is null and later.urgent and later.id > o.id
      and later.data ->> outdated.key = o.data ->> outdated.key)`;

interface Place extends Addressed {
  seq: number;
}

/** The number that the refusal of an impossible place names. */
function placeIn(error: unknown): number {
  const [, seq] = (error instanceof JetStreamApiError && /wrong last sequence: (\d+)/.exec(error.message)) || [];
  if (seq === undefined) throw error;
  return Number(seq);
}

/**
 * Knows how far a stream has acknowledged a lane's rows, and whether it still has them: NATS acknowledges before its disk
 * has an event, and a store can be put back from an older copy. A stream only ever loses its newest messages.
 */
export function createPlace(options: {
  lane: string;
  manager: Reader;
  bus: Bus;
  logger: Logger;
  subjectOf: (row: Addressed) => string;
}) {
  const { lane, manager, bus, logger, subjectOf } = options;
  /** The newest row that was acknowledged; null: not read from the outbox yet. */
  let last: Place | undefined | null = null;
  let checkedAt = -Infinity;
  let reconnects = -1;
  let lostAt: number | undefined;

  async function streamNow() {
    const { config, state } = await bus.jsm.streams.info(bus.named(lane));
    return { firstSeq: state.first_seq, seconds: config.max_age / 1_000_000_000 };
  }

  /**
   * The place of the newest message on a row's subject, which is this service's alone; 0 when there is none. Asks by a
   * message that the stream must refuse, since that needs no right to read: and the stream's leader answers.
   */
  async function newestLike(place: Place): Promise<number> {
    const expect = { lastSubjectSequence: IMPOSSIBLE };
    const refused = bus.js.publish(subjectOf(place), '', { expect, timeout: PUBLISH_MS });
    return refused.then(() => {
      throw new Error('the stream took a message that it must refuse');
    }, placeIn);
  }

  const nth = (seconds: number, n: number) => row<Place>(manager, NTH, [lane, seconds, n]);

  /** How many of the newest acknowledged rows the stream does not have any more. */
  async function countLost(seconds: number, firstSeq: number): Promise<number> {
    const isLost = async (n: number) => {
      const place = await nth(seconds, n);
      return place !== undefined && place.seq >= firstSeq && (await newestLike(place)) < place.seq;
    };
    if (!(await isLost(0))) return 0;
    let [lost, there] = [0, 1];
    while (await isLost(there)) [lost, there] = [there, 2 * there];
    while (there - lost > 1) {
      const middle = Math.floor((lost + there) / 2);
      if (await isLost(middle)) lost = middle;
      else there = middle;
    }
    return there;
  }

  /** Throws while a consumer is beyond the end: what is sent now would not reach it. */
  async function awaitConsumers(): Promise<void> {
    lostAt ??= performance.now();
    if (lane !== 'events' || performance.now() - lostAt > PUT_BACK_MS) return;
    for (const consumer of SERVICES.flatMap(consumersOf)) {
      const isBeyond = await isBeyondEnd(bus, consumer).catch((error: unknown) => {
        if (isConsumerMissing(error)) return false;
        throw error;
      });
      if (isBeyond) throw new Error(`the stream has lost messages, and ${consumer} is not put back yet`);
    }
  }

  async function sendAgain(seconds: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= AT_ONCE)
      await rows(manager, UNMARK, [lane, seconds, Math.min(left, AT_ONCE)]);
    await rows(manager, DROP, [JSON.stringify(OUTDATED_BY_NEXT)]);
    logger.error({ stream: lane, events: count }, 'the stream has lost what it had acknowledged: it is sent again');
  }

  return {
    /** False when these rows were stored at places that were taken: the stream has lost some before them. */
    follow(acked: Acked[]): boolean {
      for (const { row, seq, isRepeat } of acked) {
        if (isRepeat) continue;
        if (last && seq <= last.seq) return false;
        last = { subject: row.subject, name: row.name, seq };
      }
      return true;
    },
    doubt: () => void (checkedAt = -Infinity),
    isDue: () => performance.now() - checkedAt >= CHECK_MS || reconnects !== bus.reconnects(),
    /**
     * Asks the stream. Returns whether it has lost rows, which are unsent then; none may be on its way. Throws when the
     * stream does not answer.
     */
    async check(): Promise<boolean> {
      const [at, connection] = [performance.now(), bus.reconnects()];
      if (last === null) last = await nth((await streamNow()).seconds, 0);
      const isThere = !last || (await newestLike(last)) >= last.seq;
      if (!isThere) {
        const { firstSeq, seconds } = await streamNow();
        const count = await countLost(seconds, firstSeq);
        if (count > 0) {
          await awaitConsumers();
          await sendAgain(seconds, count);
        }
        // Of a row that is too old nobody can say any more whether it was there.
        last = await nth(seconds, 0);
        if (last && last.seq < firstSeq) last = undefined;
      }
      lostAt = undefined;
      [checkedAt, reconnects] = [at, connection];
      return !isThere;
    },
  };
}
