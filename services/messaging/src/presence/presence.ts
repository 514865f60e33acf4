import { randomUUIDv7 } from 'node:crypto';
import type { Msg } from '@nats-io/transport-node';
import type { z } from 'zod';
import { deskPresence, TRANSIENT_ADDRESS } from '@tutoring/shared/contract/desk';
import type { ServiceDeps } from '@tutoring/shared/contract/service';
import { STORED_LIVE } from '@tutoring/shared/kit/events/bus';

export type DeskPresence = z.infer<typeof deskPresence>;

/** How long a state lasts unless it is sent again. */
const PRESENCE_MS = 15_000;
const NAME = 'desk.presence';

const keyOf = ({ case_id: caseId, id }: DeskPresence) => `${caseId} ${id}`;

function presenceIn(text: string): DeskPresence | undefined {
  try {
    return deskPresence.safeParse((JSON.parse(text) as { data?: unknown }).data).data;
  } catch {
    return undefined;
  }
}

/**
 * Who looks at which case at the moment. Nothing is stored in a database: a state is published as a live event, and
 * every replica, this one too, remembers what the stream republishes. If NATS is unavailable, nobody is seen.
 */
export function createPresence({ bus, logger }: Pick<ServiceDeps<unknown>, 'bus' | 'logger'>) {
  const states = new Map<string, DeskPresence & { until: number }>();
  const subject = `${TRANSIENT_ADDRESS}.messaging`;

  function receive(presence: DeskPresence): void {
    const now = performance.now();
    for (const [key, { until }] of states) if (until <= now) states.delete(key);
    if (presence.state === 'left') states.delete(keyOf(presence));
    else states.set(keyOf(presence), { ...presence, until: now + PRESENCE_MS });
  }

  bus.connection.subscribe(bus.subject(`${STORED_LIVE}.${subject}`), {
    callback: (error: Error | null, message: Msg) => {
      const presence = error ? undefined : presenceIn(message.string());
      if (error) logger.error({ err: error }, 'presence cannot be received: check the NATS rights of messaging');
      else if (presence) receive(presence);
    },
  });

  return {
    /** Publishes what an administrator does, to the desk and to all replicas. Does not wait for NATS. */
    announce(data: DeskPresence): void {
      const id = randomUUIDv7();
      const text = JSON.stringify({ id, name: NAME, data, context: {}, created_at: new Date().toISOString() });
      bus.js.publish(bus.subject(`live.${subject}`), text, { msgID: id }).catch((error: unknown) => {
        logger.debug({ err: error }, 'presence could not be published: it is not repeated');
      });
    },
    /** The other administrators who are at the case now. */
    others: (caseId: number, exceptId: number): Pick<DeskPresence, 'id' | 'name' | 'state'>[] =>
      [...states.values()]
        .filter(({ case_id, id, until }) => case_id === caseId && id !== exceptId && until > performance.now())
        .map(({ id, name, state }) => ({ id, name, state })),
  };
}

export type Presence = ReturnType<typeof createPresence>;
