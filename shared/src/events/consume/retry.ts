import type { EntityManager } from 'typeorm';
import { headers } from '@nats-io/transport-node';
import { rows } from '../../database/sql.ts';
import type { Bus } from '../bus.ts';
import { resyncSubjectOf, type EventName } from '../catalogue.ts';

interface DeadLetter {
  id: number;
  event_id: string;
  name: EventName;
  message: string;
}

const DEAD = `
  select id, event_id, name, message::text as message from dead_letter
  where consumer = $1 and ($2::text is null or name = $2) order by id`;

/** Publishes an event again for one service alone, once by its `msgID`. */
export async function publishAlone(
  bus: Bus,
  { service, name, text, msgID }: { service: string; name: EventName; text: string; msgID: string },
): Promise<void> {
  const header = headers();
  header.set('Event-Name', name);
  await bus.js.publish(bus.subject(resyncSubjectOf(name, service)), text, { msgID, headers: header });
}

/**
 * Delivers a service's dead letters again (all, or those of one event), oldest first, and removes them: an event that
 * fails again becomes a dead letter again. Returns how many.
 */
export async function retryDeadLetters(options: {
  consumer: string;
  name?: string | undefined;
  manager: EntityManager;
  bus: Bus;
}): Promise<number> {
  const { bus, consumer, manager, name } = options;
  await bus.ensureStreams();
  const dead = await rows<DeadLetter>(manager, DEAD, [consumer, name ?? null]);
  for (const letter of dead) {
    const { event_id, id, name: event, message } = letter;
    await publishAlone(bus, { service: consumer, name: event, text: message, msgID: `retry-${event_id}-${id}` });
    await rows(manager, 'delete from dead_letter where id = $1 returning id', [id]);
  }
  return dead.length;
}
