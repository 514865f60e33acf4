import { randomUUIDv7 } from 'node:crypto';
import { headers, nanos } from '@nats-io/transport-node';
import { AGAIN, connectBus, STREAMS } from '@tutoring/shared/events/bus';
import { liveEvents, type LiveEvent } from '@tutoring/shared/events/live';
import { createLogger } from '@tutoring/shared/process/logger';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';

/** A pair (student, teacher), one person, or the administrators. */
type To = [number, number] | number | 'admins';

const withAgain = headers();
withAgain.set(AGAIN, '1');

/** Publishes live events to the gateways of `prefix`, like a service's relay. Closing it removes their streams. */
export async function connectRelay(url: string, prefix: string) {
  const logger = createLogger('test', 'silent');
  const bus = await connectBus({ url, prefix, name: 'test', limits: testLimits, logger });
  return {
    bus,
    /**
     * Publishes a new event; or, with an id, one that was published before: JetStream drops it while it remembers that
     * id. `again`: as a relay does after the stream has lost it.
     */
    async tell(
      to: To,
      data: Record<string, unknown>,
      name = 'message.created',
      id = randomUUIDv7() as string,
      { by, again = false }: { by?: string; again?: boolean } = {},
    ): Promise<{ id: string; seq: number; isNew: boolean }> {
      const address = to === 'admins' ? to : `user.${(typeof to === 'number' ? [to, to] : to).join('.')}`;
      const message = { id, name, data, context: {}, created_at: new Date().toISOString() };
      const service = liveEvents[name as LiveEvent]?.owner ?? 'messaging';
      const ack = await bus.js.publish(bus.subject(`live.${address}.${by ?? service}`), JSON.stringify(message), {
        msgID: id,
        ...(again && { headers: withAgain }),
      });
      return { id, seq: ack.seq, isNew: !ack.duplicate };
    },
    /** Waits until all live events are too old: nobody can purge the stream. */
    async forget(): Promise<void> {
      const live = bus.named('live');
      const { max_age, duplicate_window } = (await bus.jsm.streams.info(live)).config;
      await bus.jsm.streams.update(live, { max_age: nanos(100), duplicate_window: nanos(100) });
      await eventually('all is forgotten', async () => (await bus.jsm.streams.info(live)).state.messages === 0);
      await bus.jsm.streams.update(live, { max_age, duplicate_window });
    },
    async close(): Promise<void> {
      for (const stream of STREAMS) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
      await bus.close();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof connectRelay>>;
