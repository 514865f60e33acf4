import { PubHeaders } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { Reader } from '../database/open.ts';
import type { Bus } from './bus.ts';
import { catalogue, resyncSubjectOf, type EventName } from './catalogue.ts';
import { publishTogether, type ReadyMessage } from './send.ts';

/** Events published at once. */
const BATCH = 250;

/** Lists an owner's nouns as event data, in pages by key, for `events resync`. */
export type Snapshots = Partial<Record<EventName, (reader: Reader) => AsyncIterable<unknown>>>;

/**
 * Publishes every noun of `name` again to one consumer, outside the outbox: this rebuilds a projection. Returns how
 * many. Throws when this service does not own the event.
 */
export async function resync(options: {
  name: string;
  consumer: string;
  snapshots: Snapshots;
  manager: Reader;
  bus: Bus;
}): Promise<number> {
  const { bus, consumer, manager, snapshots } = options;
  const name = options.name as EventName;
  const list = snapshots[name];
  if (!list)
    throw new Error(
      `nothing to resync named ${options.name}; this service owns ${Object.keys(snapshots).join(', ') || 'nothing'}`,
    );
  await bus.ensureStreams();
  let count = 0;
  let batch: ReadyMessage[] = [];
  // One batch is on its way while the next is read.
  let published = Promise.resolve();
  const publish = async () => {
    const messages = batch;
    batch = [];
    await published;
    published = publishAll(bus, messages);
    published.catch(() => undefined);
  };
  for await (const item of list(manager)) {
    batch.push(messageOf(bus, { name, consumer, data: catalogue[name].schema.parse(item) }));
    count += 1;
    if (batch.length === BATCH) await publish();
  }
  await publish();
  await published;
  return count;
}

function messageOf(bus: Bus, { name, consumer, data }: { name: EventName; consumer: string; data: unknown }) {
  const id = randomUUID();
  const context = { requestId: `resync-${id}` };
  const header = headers();
  header.set(PubHeaders.MsgIdHdr, id);
  header.set('Event-Name', name);
  return {
    subject: bus.subject(resyncSubjectOf(name, consumer)),
    text: JSON.stringify({ id, name, data, context, created_at: new Date().toISOString() }),
    headers: header,
  };
}

async function publishAll(bus: Bus, messages: ReadyMessage[]): Promise<void> {
  if (messages.length > 1) await publishTogether(bus, messages);
  else for (const { subject, text, headers } of messages) await bus.js.publish(subject, text, { headers });
}
