import { PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { PUBLISH_MS } from '../deadlines.ts';
import type { Logger } from '../logger.ts';
import type { ServiceName } from '../process-names.ts';
import type { Bus } from './bus.ts';
import { isToldByAll } from './catalogue.ts';

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

/** Publishes rows of one stream in their order. */
export function createSender(service: ServiceName, bus: Bus, logger: Logger) {
  const subjectOf = ({ subject, name }: PendingRow) =>
    bus.subject(isToldByAll(name) ? `${subject}.${service}` : subject);

  /** All or none, with one ack. */
  async function publishTogether(rows: PendingRow[]): Promise<void> {
    const [first, ...others] = rows;
    const last = others.pop();
    if (!first || !last) throw new Error('a batch has at least two events');
    const options = (row: PendingRow) => ({ headers: headersOf(row), timeout: PUBLISH_MS });
    const batch = await bus.js.startBatch(subjectOf(first), messageOf(first), options(first));
    for (const row of others) batch.add(subjectOf(row), messageOf(row), { headers: headersOf(row) });
    await batch.commit(subjectOf(last), messageOf(last), options(last));
  }

  async function publishEach(rows: PendingRow[]): Promise<Sent> {
    const results = await Promise.allSettled(
      rows.map((row) =>
        bus.js.publish(subjectOf(row), messageOf(row), { headers: headersOf(row), timeout: PUBLISH_MS }),
      ),
    );
    const failed = results.findIndex((result) => result.status === 'rejected');
    if (failed === -1) return { acked: rows };
    return { acked: rows.slice(0, failed), failure: (results[failed] as PromiseRejectedResult).reason as Error };
  }

  /** The broker refuses a batch that holds an event it already has: then each event is sent by itself. */
  return async (rows: PendingRow[]): Promise<Sent> => {
    if (rows.length < WORTH_A_BATCH) return publishEach(rows);
    try {
      await publishTogether(rows);
      return { acked: rows };
    } catch (error) {
      logger.debug({ err: error }, 'a batch of events goes one by one');
      return publishEach(rows);
    }
  };
}
