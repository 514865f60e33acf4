import { randomUUIDv7 } from 'node:crypto';
import { headers, nanos } from '@nats-io/transport-node';
import { connectBus, topology } from '@tutoring/shared/contract/bus';
import { REPUBLISHED } from '@tutoring/shared/kit/events/bus';
import type { TRANSIENT_ADDRESS } from '@tutoring/shared/contract/desk';
import { liveEvents, type LiveEvent } from '@tutoring/shared/contract/live-events';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { testLimits } from '@tutoring/shared/testing/service';
import { eventually } from '@tutoring/shared/testing/wait';

/** A student and a teacher, one person, or the administrators, also with events that no outbox keeps. */
type Recipient = [number, number] | number | 'admins' | typeof TRANSIENT_ADDRESS;

const againHeaders = headers();
againHeaders.set(REPUBLISHED, '1');

/** Publishes live events to the gateways of `prefix`, like a service's relay. `close` deletes all streams. */
export async function connectRelay(url: string, prefix: string) {
  const logger = createLogger('test', 'silent');
  const bus = await connectBus({ url, prefix, name: 'test', limits: testLimits, logger });
  return {
    bus,
    /**
     * Publishes a new event, or, with the `id` of an earlier one, the same event again: JetStream drops it within its
     * deduplication window. `again` marks it, as a relay does, as an event that the stream has lost.
     */
    async publish(
      to: Recipient,
      data: Record<string, unknown>,
      name = 'message.created',
      id = randomUUIDv7() as string,
      { by, again = false }: { by?: string; again?: boolean } = {},
    ): Promise<{ id: string; seq: number; isNew: boolean }> {
      const address = typeof to === 'string' ? to : `user.${(typeof to === 'number' ? [to, to] : to).join('.')}`;
      const message = { id, name, data, context: {}, created_at: new Date().toISOString() };
      const service = liveEvents[name as LiveEvent]?.owner ?? 'messaging';
      const ack = await bus.js.publish(bus.subject(`live.${address}.${by ?? service}`), JSON.stringify(message), {
        msgID: id,
        ...(again && { headers: againHeaders }),
      });
      return { id, seq: ack.seq, isNew: !ack.duplicate };
    },
    /** Waits until all live events have expired; the stream cannot be purged. */
    async expireAll(): Promise<void> {
      const live = bus.named('live');
      const { max_age, duplicate_window } = (await bus.jsm.streams.info(live)).config;
      await bus.jsm.streams.update(live, { max_age: nanos(100), duplicate_window: nanos(100) });
      await eventually(
        'all live events have expired',
        async () => (await bus.jsm.streams.info(live)).state.messages === 0,
      );
      await bus.jsm.streams.update(live, { max_age, duplicate_window });
    },
    async close(): Promise<void> {
      for (const stream of topology.streams) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
      await bus.close();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof connectRelay>>;
