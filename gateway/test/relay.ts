import { randomUUIDv7 } from 'node:crypto';
import { connectBus, STREAMS } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { testLimits } from '@tutoring/shared/testing/service';

/** A pair (student, teacher), one person, or the administrators. */
type To = [number, number] | number | 'admins';

/** Stands where a service's relay stands: tells the gateways of `prefix` live events. Closing it takes their streams away. */
export async function connectRelay(url: string, prefix: string) {
  const logger = createLogger('test', 'silent');
  const bus = await connectBus({ url, prefix, name: 'test', limits: testLimits, logger });
  return {
    bus,
    /** A new event; or, by its id, one that was told before, which JetStream drops until it has forgotten that. */
    async tell(
      to: To,
      data: Record<string, unknown>,
      name = 'message.created',
      id = randomUUIDv7() as string,
    ): Promise<{ id: string; seq: number; isNew: boolean }> {
      const address = to === 'admins' ? to : `user.${(typeof to === 'number' ? [to, to] : to).join('.')}`;
      const message = { id, name, data, context: {}, created_at: new Date().toISOString() };
      const ack = await bus.js.publish(bus.subject(`live.${address}`), JSON.stringify(message), { msgID: id });
      return { id, seq: ack.seq, isNew: !ack.duplicate };
    },
    async close(): Promise<void> {
      for (const stream of STREAMS) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
      await bus.close();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof connectRelay>>;
