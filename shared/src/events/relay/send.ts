import { PubHeaders } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { PUBLISH_MS } from '../../process/deadlines.ts';
import type { Logger } from '../../process/logger.ts';
import type { ServiceName } from '../../process/names.ts';
import type { Bus } from '../bus.ts';
import { hasManyPublishers } from '../catalogue.ts';

/** Smallest atomic batch: with fewer events its extra round trip costs more than it saves. */
const WORTH_A_BATCH = 16;

export interface PendingRow {
  id: number;
  event_id: string;
  subject: string;
  name: string;
  data: string;
  context: string;
  created_at: string;
}

/** An event to send; data and context are JSON already. */
const messageOf = ({ event_id, name, data, context, created_at }: PendingRow) =>
  `{"id":"${event_id}","name":${JSON.stringify(name)},"data":${data},"context":${context},"created_at":"${created_at}"}`;

function headersOf(row: PendingRow) {
  const header = headers();
  header.set(PubHeaders.MsgIdHdr, row.event_id);
  header.set('Event-Name', row.name);
  return header;
}

export interface Sent {
  /** The events before the first one that the broker did not take. */
  acked: PendingRow[];
  /** Why the broker did not take it. */
  failure?: Error;
}

/** A message of JetStream, ready to be published. */
export interface ReadyMessage {
  subject: string;
  text: string;
  headers: MsgHdrs;
}

/**
 * Publishes at least two messages of one stream in their order: all or none, with one ack. Returns the milliseconds that
 * the broker needed for each, beyond a round trip.
 */
export async function publishTogether({ js }: Bus, messages: ReadyMessage[]): Promise<number> {
  const [first, ...others] = messages;
  const last = others.pop();
  if (!first || !last) throw new Error('a batch has at least two messages');
  const acked = ({ headers }: ReadyMessage) => ({ headers, timeout: PUBLISH_MS });
  const began = performance.now();
  const batch = await js.startBatch(first.subject, first.text, acked(first));
  const started = performance.now();
  for (const { subject, text, headers } of others) batch.add(subject, text, { headers });
  await batch.commit(last.subject, last.text, acked(last));
  return Math.max(0, performance.now() - started - (started - began)) / messages.length;
}

/** How long an urgent event may wait for those that are on their way, in milliseconds. */
const WAIT_MS = 20;
/** Fewest and most events sent at once. */
const [FEWEST, MOST] = [100, 1_000];
/** Weight of the newest measurement. */
const NEWEST = 0.3;

/**
 * Publishes rows of one stream in their order. `atOnce`: how many of them the broker takes within WAIT_MS. One that
 * syncs every message needs a fraction of a millisecond for each, and more at once are no faster.
 */
export function createSender(service: ServiceName, bus: Bus, logger: Logger) {
  let eachMs = WAIT_MS / FEWEST;
  const readyOf = (row: PendingRow): ReadyMessage => ({
    subject: bus.subject(hasManyPublishers(row.name) ? `${row.subject}.${service}` : row.subject),
    text: messageOf(row),
    headers: headersOf(row),
  });

  async function publishEach(rows: PendingRow[]): Promise<Sent> {
    const results = await Promise.allSettled(
      rows
        .map(readyOf)
        .map(({ subject, text, headers }) => bus.js.publish(subject, text, { headers, timeout: PUBLISH_MS })),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed === -1) return { acked: rows };
    return { acked: rows.slice(0, failed), failure: (results[failed] as PromiseRejectedResult).reason as Error };
  }

  /** The broker refuses a batch that holds an event it already has: then each event is sent by itself. */
  async function send(rows: PendingRow[]): Promise<Sent> {
    if (rows.length < WORTH_A_BATCH) return publishEach(rows);
    try {
      const measured = await publishTogether(bus, rows.map(readyOf));
      eachMs += NEWEST * (measured - eachMs);
      return { acked: rows };
    } catch (error) {
      logger.debug({ err: error }, 'a batch of events goes one by one');
      return publishEach(rows);
    }
  }

  const atOnce = () => Math.round(Math.min(MOST, Math.max(FEWEST, WAIT_MS / eachMs)));
  return { send, atOnce };
}
