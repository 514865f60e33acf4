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

/**
 * Nouns as events, as they are published. Ids rise with time, as those of the outbox: in the inbox they lie side by
 * side.
 */
async function* eventsOf(name: EventName, nouns: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  for await (const noun of nouns) {
    const id = randomUUIDv7();
    const context = { requestId: `resync-${id}` };
    const data = catalogue[name].schema.parse(noun);
    yield JSON.stringify({ id, name, data, context, created_at: new Date().toISOString() });
  }
}

/** Events in pages of which the consumer takes in one at a time. */
async function* inPages(events: AsyncIterable<string>): AsyncGenerator<string[]> {
  let page: string[] = [];
  let length = 0;
  for await (const event of events) {
    if (page.length === LARGEST_SET || (page.length > 0 && length + event.length > PAGE_LENGTH)) {
      yield page;
      [page, length] = [[], 0];
    }
    page.push(event);
    length += event.length;
  }
  if (page.length > 0) yield page;
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
  const acks: Promise<unknown>[] = [];
  let count = 0;
  for await (const events of inPages(eventsOf(name, await list(manager)))) {
    const ack = publishPage(bus, { service: consumer, name, events, msgID: randomUUIDv7() });
    ack.catch(() => undefined);
    acks.push(ack);
    if (acks.length === UNACKED) await acks.shift();
    count += events.length;
  }
  await Promise.all(acks);
  return count;
}
