import { JetStreamApiError, PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { row, rows, type Reader } from '../../database/sql.ts';
import { PUBLISH_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import { REPUBLISHED, isConsumerMissing, type Bus } from '../bus.ts';
import { isPastEndOfStream } from '../consume/feed.ts';

/** Smallest atomic batch: with fewer events, its extra round trip costs more than it saves. */
const MIN_BATCH = 16;

/** The fields of an event that determine its subject in NATS. */
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
  /** The row was published before, or may have been. */
  is_again: boolean;
}

/** The JSON of an event; `data` and `context` are JSON already. */
const messageOf = ({ event_id, name, data, context, created_at }: PendingRow) =>
  `{"id":"${event_id}","name":${JSON.stringify(name)},"data":${data},"context":${context},"created_at":"${created_at}"}`;

function headersOf({ event_id, name, is_again }: PendingRow) {
  const header = headers();
  header.set(PubHeaders.MsgIdHdr, event_id);
  header.set('Event-Name', name);
  if (is_again) header.set(REPUBLISHED, '1');
  return header;
}

/** A row that the broker has acknowledged. */
export interface Acked {
  row: PendingRow;
  /** Sequence in the stream. */
  seq: number;
  /** The broker had stored the event before. */
  isRepeat: boolean;
}

export interface Sent {
  /** The rows before the first one that the broker did not acknowledge. */
  acked: Acked[];
  /** Why the broker did not acknowledge that row. */
  failure?: Error;
}

/** Publishes rows of one stream in order. */
export function createSender(service: string, bus: Bus, logger: Logger) {
  /** The subject of a row. Events that several services publish have a subject for each service. */
  const subjectOf = ({ subject, name }: Addressed) =>
    bus.subject(
      subject.startsWith('live.') || bus.messages.hasManyPublishers(name) ? `${subject}.${service}` : subject,
    );
  /** Ids of rows that were sent and not marked yet: the stream may have them. */
  const unmarked = new Set<number>();
  /** Makes new headers for each attempt, because the client writes the position in the batch into them. */
  const messageFor = (row: PendingRow) => ({ subject: subjectOf(row), text: messageOf(row), headers: headersOf(row) });

  /** Publishes at least two rows as an atomic batch. Returns the sequence of the last one. */
  async function publishBatch(rows: PendingRow[]): Promise<number> {
    const [first, ...others] = rows.map(messageFor);
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
        .map(messageFor)
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

  /**
   * Sends a batch; if the broker refuses it (it holds an event that the stream already has), sends the events singly.
   */
  async function send(rows: PendingRow[]): Promise<Sent> {
    for (const row of rows) {
      row.is_again ||= unmarked.has(row.id);
      unmarked.add(row.id);
    }
    if (rows.length < MIN_BATCH) return publishEach(rows);
    try {
      const end = (await publishBatch(rows)) + 1;
      return { acked: rows.map((row, index) => ({ row, seq: end - rows.length + index, isRepeat: false })) };
    } catch (error) {
      logger.debug({ err: error }, 'NATS refused a batch of events: they are sent one by one');
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

/** Interval between checks that the stream still has its acknowledged messages. */
const CHECK_MS = 1_000;
/** A sequence that no message has. */
const IMPOSSIBLE = Number.MAX_SAFE_INTEGER;
/** How long the relay waits for the services to reset consumers that are past the end of the stream. */
const CONSUMER_RESET_MS = 30_000;
/** Rows per statement that marks rows as unsent. */
const UNMARK_LIMIT = 10_000;

/** Acknowledged rows of partition $1 that are younger than its max_age, $2 seconds; newest first. */
const ACKED = `from outbox where outbox_lane(subject) = $1 and stream_seq is not null
  and sent_at > clock_timestamp() - $2 * interval '1 second' order by sent_at desc, stream_seq desc`;
const NTH = `select subject, name, stream_seq as seq ${ACKED} offset $3 limit 1`;
/**
 * Marks the newest rows as unsent; they keep `stream_seq`. Newest first: after a crash in between, the next check still
 * finds an older row that the stream has lost.
 */
const UNMARK = `update outbox set sent_at = null where id = any(array(select id ${ACKED} limit $3))`;
/** Marks unsent events as sent that a later unsent urgent event supersedes (`supersededByNext`). */
const DROP = `
  update outbox o set sent_at = clock_timestamp(), stream_seq = null
  from jsonb_each_text($1::jsonb) as superseded (name, key)
  where o.sent_at is null and o.urgent and o.name = superseded.name and exists (
    select from outbox later where later.sent_at is null and later.urgent and later.id > o.id
      and later.data ->> superseded.key = o.data ->> superseded.key)`;

interface Position extends Addressed {
  seq: number;
}

/** The actual last sequence, out of the error of a publish that expected an impossible one. */
function sequenceIn(error: unknown): number {
  const [, seq] = (error instanceof JetStreamApiError && /wrong last sequence: (\d+)/.exec(error.message)) || [];
  if (seq === undefined) throw error;
  return Number(seq);
}

/**
 * Tracks the newest acknowledged row of a stream and checks that the stream still has it. NATS acknowledges a message
 * before it is on disk, and an operator may restore an older copy of its store: a stream can lose its newest messages.
 */
export function createStreamPosition(options: {
  /** Partition of the outbox that is sent to the stream. */
  partition: string;
  stream: string;
  manager: Reader;
  bus: Bus;
  logger: Logger;
  subjectOf: (row: Addressed) => string;
}) {
  const { partition, stream, manager, bus, logger, subjectOf } = options;
  /** The newest acknowledged row; undefined: there is none; null: not read from the outbox yet. */
  let last: Position | undefined | null = null;
  let checkedAt = -Infinity;
  let reconnects = -1;
  let lostAt: number | undefined;

  async function streamInfo() {
    const { config, state } = await bus.jsm.streams.info(bus.named(stream));
    return { firstSeq: state.first_seq, seconds: config.max_age / 1_000_000_000 };
  }

  /**
   * The sequence of the newest message on a row's subject, to which only this service publishes; 0 if there is none.
   * It publishes with an expectation that cannot hold and reads the error. That needs no permission to read the stream,
   * and the stream's leader answers.
   */
  async function lastSequence(position: Position): Promise<number> {
    const expect = { lastSubjectSequence: IMPOSSIBLE };
    const refused = bus.js.publish(subjectOf(position), '', { expect, timeout: PUBLISH_MS });
    return refused.then(() => {
      throw new Error('the stream stored a message that it had to refuse');
    }, sequenceIn);
  }

  const nth = (seconds: number, n: number) => row<Position>(manager, NTH, [partition, seconds, n]);

  /** How many of the newest acknowledged rows the stream has lost: a galloping search, then a binary one. */
  async function countLost(seconds: number, firstSeq: number): Promise<number> {
    const isLost = async (n: number) => {
      const position = await nth(seconds, n);
      return position !== undefined && position.seq >= firstSeq && (await lastSequence(position)) < position.seq;
    };
    if (!(await isLost(0))) return 0;
    let [lost, stored] = [0, 1];
    while (await isLost(stored)) [lost, stored] = [stored, 2 * stored];
    while (stored - lost > 1) {
      const middle = Math.floor((lost + stored) / 2);
      if (await isLost(middle)) lost = middle;
      else stored = middle;
    }
    return stored;
  }

  /** Throws while a consumer is past the end of the stream, because it would miss the messages that are sent now. */
  async function assertConsumersReset(): Promise<void> {
    lostAt ??= performance.now();
    if (performance.now() - lostAt > CONSUMER_RESET_MS) return;
    for (const consumer of bus.topology.allConsumers().filter((each) => each.stream === stream)) {
      const isPastEnd = await isPastEndOfStream(bus, consumer).catch((error: unknown) => {
        if (isConsumerMissing(error)) return false;
        throw error;
      });
      if (isPastEnd)
        throw new Error(`the stream lost messages, and the consumer ${consumer.consumer} is not reset yet`);
    }
  }

  async function sendAgain(seconds: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= UNMARK_LIMIT)
      await rows(manager, UNMARK, [partition, seconds, Math.min(left, UNMARK_LIMIT)]);
    await rows(manager, DROP, [JSON.stringify(bus.messages.supersededByNext)]);
    logger.error({ stream, events: count }, 'the stream has lost acknowledged events: they are sent again');
  }

  return {
    /** Records acknowledged rows. False when a sequence was used before: the stream has lost messages. */
    follow(acked: Acked[]): boolean {
      for (const { row, seq, isRepeat } of acked) {
        if (isRepeat) continue;
        if (last && seq <= last.seq) return false;
        last = { subject: row.subject, name: row.name, seq };
      }
      return true;
    },
    /** Makes the next check due at once. */
    checkNow: () => void (checkedAt = -Infinity),
    isCheckDue: () => performance.now() - checkedAt >= CHECK_MS || reconnects !== bus.reconnects(),
    /**
     * Checks the stream; no row may be in flight. Returns whether messages were lost: their rows are marked as unsent
     * then. Throws when the stream does not answer.
     */
    async check(): Promise<boolean> {
      const [at, connection] = [performance.now(), bus.reconnects()];
      if (last === null) last = await nth((await streamInfo()).seconds, 0);
      const isStored = !last || (await lastSequence(last)) >= last.seq;
      if (!isStored) {
        const { firstSeq, seconds } = await streamInfo();
        const count = await countLost(seconds, firstSeq);
        if (count > 0) {
          await assertConsumersReset();
          await sendAgain(seconds, count);
        }
        // The stream has dropped older messages because of its limits: nothing can be said about such a row.
        last = await nth(seconds, 0);
        if (last && last.seq < firstSeq) last = undefined;
      }
      lostAt = undefined;
      [checkedAt, reconnects] = [at, connection];
      return !isStored;
    },
  };
}
