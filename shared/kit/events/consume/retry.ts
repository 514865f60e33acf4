import { headers } from '@nats-io/transport-node';
import { rows, type Reader } from '../../database/sql.ts';
import type { Bus } from '../bus.ts';
import { resyncSubjectOf } from '../catalogue.ts';

interface DeadLetter {
  id: number;
  event_id: string;
  name: string;
  message: string;
  created_at: string;
}

const DEAD = `
  select id, event_id, name, message::text as message, created_at from dead_letter
  where consumer = $1 and ($2::text is null or name = $2) order by id`;

/**
 * Publishes events of one name (as JSON) again for one consumer only, as a page in the stream of `publisher`. NATS
 * deduplicates by `msgID`.
 */
export function publishPage(
  { js, subject }: Bus,
  page: { publisher: string; consumer: string; name: string; events: string[]; msgID: string },
): Promise<unknown> {
  const { publisher, consumer, name, events, msgID } = page;
  const header = headers();
  header.set('Event-Name', name);
  return js.publish(subject(resyncSubjectOf(name, consumer, publisher)), `{"events":[${events.join()}]}`, {
    msgID,
    headers: header,
  });
}

/**
 * Publishes a service's dead letters again (all, or those of one event name), oldest first, and deletes them. An event
 * that fails again becomes a dead letter again, with a new time: it is neither deleted nor taken for a repeat, also when
 * an earlier retry ended before its deletion. Returns the number of dead letters.
 */
export async function retryDeadLetters(options: {
  consumer: string;
  name?: string | undefined;
  manager: Reader;
  bus: Bus;
}): Promise<number> {
  const { bus, consumer, manager, name } = options;
  await bus.ensureStreams();
  const dead = await rows<DeadLetter>(manager, DEAD, [consumer, name ?? null]);
  for (const letter of dead) {
    const { created_at: at, event_id, id, name: event, message } = letter;
    const msgID = `retry-${event_id}-${id}-${at}`;
    await publishPage(bus, { publisher: consumer, consumer, name: event, events: [message], msgID });
    await rows(manager, 'delete from dead_letter where id = $1 and created_at = $2', [id, at]);
  }
  return dead.length;
}
