import { randomUUIDv7 } from 'node:crypto';
import { UsageError } from '../../process/config.ts';
import type { Reader } from '../../database/open.ts';
import type { Bus } from '../bus.ts';
import type { EventDeclaration } from '../catalogue.ts';
import { MAX_BATCH } from '../consume/intake.ts';
import { publishPage } from '../consume/retry.ts';

/** Characters per page: even at three bytes each, a page is smaller than the largest message of NATS. */
const PAGE_LENGTH = 256 * 1024;
/** Pages in flight: enough to keep NATS busy, few enough to bound the memory. */
const MAX_UNACKED = 4;

/** For `events resync`: lists a service's nouns as event data, either in pages by key or, if there are few, at once. */
export type Snapshots<Name extends string = string> = Partial<
  Record<Name, (reader: Reader) => AsyncIterable<unknown> | Promise<Iterable<unknown>>>
>;

/** Wraps nouns in events. The ids are ordered by time, as in the outbox, so that the inbox index stays compact. */
async function* eventsOf(
  name: string,
  { schema }: EventDeclaration,
  nouns: AsyncIterable<unknown> | Iterable<unknown>,
): AsyncGenerator<string> {
  for await (const noun of nouns) {
    const id = randomUUIDv7();
    const context = { requestId: `resync-${id}` };
    const data = schema.parse(noun);
    yield JSON.stringify({ id, name, data, context, created_at: new Date().toISOString() });
  }
}

/** Groups events into pages; the consumer handles one page at a time. */
async function* inPages(events: AsyncIterable<string>): AsyncGenerator<string[]> {
  let page: string[] = [];
  let length = 0;
  for await (const event of events) {
    if (page.length === MAX_BATCH || (page.length > 0 && length + event.length > PAGE_LENGTH)) {
      yield page;
      [page, length] = [[], 0];
    }
    page.push(event);
    length += event.length;
  }
  if (page.length > 0) yield page;
}

/**
 * Publishes every noun of `name` again to one consumer, outside the outbox, to rebuild a projection. A message holds a
 * whole batch for the consumer, so a million nouns take some thousand messages. Returns the number of nouns. Throws
 * UsageError when this service does not own the event.
 */
export async function resync(options: {
  name: string;
  consumer: string;
  snapshots: Snapshots;
  manager: Reader;
  bus: Bus;
}): Promise<number> {
  const { bus, consumer, manager, name, snapshots } = options;
  const list = snapshots[name];
  const declaration = bus.messages.events[name];
  if (!list || !declaration)
    throw new UsageError(
      `There is nothing to resync named ${name}. This service owns ${Object.keys(snapshots).join(', ')}.`,
    );
  await bus.ensureStreams();
  const acks: Promise<unknown>[] = [];
  let count = 0;
  for await (const events of inPages(eventsOf(name, declaration, await list(manager)))) {
    const ack = publishPage(bus, { publisher: declaration.owner, consumer, name, events, msgID: randomUUIDv7() });
    ack.catch(() => undefined);
    acks.push(ack);
    if (acks.length === MAX_UNACKED) await acks.shift();
    count += events.length;
  }
  await Promise.all(acks);
  return count;
}
