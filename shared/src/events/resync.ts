import { headers } from '@nats-io/transport-node';
import { randomUUID } from 'node:crypto';
import type { Reader } from '../database/open.ts';
import type { Bus } from './bus.ts';
import { catalogue, type EventName } from './catalogue.ts';

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
  for await (const item of list(manager)) {
    const id = randomUUID();
    const message = {
      id,
      name,
      data: catalogue[name].schema.parse(item),
      context: { requestId: `resync-${id}` },
      created_at: new Date().toISOString(),
    };
    const header = headers();
    header.set('Event-Name', name);
    await bus.js.publish(bus.subject(`resync.${consumer}.${name}`), JSON.stringify(message), {
      msgID: id,
      headers: header,
    });
    count += 1;
  }
  return count;
}
