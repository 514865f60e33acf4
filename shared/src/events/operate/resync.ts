import { randomUUIDv7 } from 'node:crypto';
import { UsageError } from '../../process/config.ts';
import type { Reader } from '../../database/open.ts';
import type { Bus } from '../bus.ts';
import { catalogue, type EventName } from '../catalogue.ts';
import { LARGEST_SET } from '../consume/intake.ts';
import { publishPage } from '../consume/retry.ts';

/** Characters of a page: with any of three bytes it is smaller than the largest message of NATS. */
const PAGE_LENGTH = 256 * 1024;
/** Pages on their way: NATS is never without work, and memory holds no more. */
const UNACKED = 4;

/** Lists an owner's nouns as event data, in pages by key or, where there are few, at once, for `events resync`. */
export type Snapshots = Partial<
  Record<EventName, (reader: Reader) => AsyncIterable<unknown> | Promise<Iterable<unknown>>>
>;

/** An event as it is published. Ids rise with time, as those of the outbox: in the inbox they lie side by side. */
function textOf(name: EventName, data: unknown): string {
  const id = randomUUIDv7();
  const context = { requestId: `resync-${id}` };
  return JSON.stringify({ id, name, data, context, created_at: new Date().toISOString() });
}

/** Publishes pages in their order: `add` waits for the first ack while too many are missing, `done` for all. */
function createPages(bus: Bus, name: EventName, service: string) {
  let page: string[] = [];
  let length = 0;
  const acks: Promise<unknown>[] = [];

  async function publish(): Promise<void> {
    const ack = publishPage(bus, { service, name, events: page, msgID: randomUUIDv7() });
    ack.catch(() => undefined);
    acks.push(ack);
    page = [];
    length = 0;
    if (acks.length === UNACKED) await acks.shift();
  }

  return {
    async add(event: string): Promise<void> {
      if (page.length === LARGEST_SET || (page.length > 0 && length + event.length > PAGE_LENGTH)) await publish();
      page.push(event);
      length += event.length;
    },
    async done(): Promise<void> {
      if (page.length > 0) await publish();
      await Promise.all(acks);
    },
  };
}

/**
 * Publishes every noun of `name` again to one consumer, outside the outbox: this rebuilds a projection. A message holds
 * as many as the consumer takes in together, so that the broker writes some thousand messages for a million nouns.
 * Returns how many. Throws when this service does not own the event.
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
    throw new UsageError(
      `There is nothing to resync named ${options.name}. This service owns ${Object.keys(snapshots).join(', ')}.`,
    );
  await bus.ensureStreams();
  const pages = createPages(bus, name, consumer);
  let count = 0;
  for await (const item of await list(manager)) {
    await pages.add(textOf(name, catalogue[name].schema.parse(item)));
    count += 1;
  }
  await pages.done();
  return count;
}
