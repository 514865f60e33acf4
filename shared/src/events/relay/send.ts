import { PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { PUBLISH_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import type { ServiceName } from '../../process/names.ts';
import { AGAIN, type Bus } from '../bus.ts';
import { hasManyPublishers } from '../catalogue.ts';

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
