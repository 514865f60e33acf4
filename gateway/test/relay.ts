import { randomUUID } from 'node:crypto';
import { connectBus, STREAMS } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { testLimits } from '@tutoring/shared/testing/service';

/** Stands where a service's relay stands: tells the gateways of `prefix` live events. Closing it takes their streams away. */
export async function connectRelay(url: string, prefix: string) {
  const logger = createLogger('test', 'silent');
  const bus = await connectBus({ url, prefix, name: 'test', limits: testLimits, logger });
  return {
    bus,
    /** To a pair (student, teacher), to one person, or to the administrators. */
    async tell(
      to: [number, number] | number | 'admins',
      data: Record<string, unknown>,
      name = 'message.created',
    ): Promise<{ seq: number }> {
      const id = randomUUID();
      const address = to === 'admins' ? to : `user.${(typeof to === 'number' ? [to, to] : to).join('.')}`;
      const message = { id, name, data, context: {}, created_at: new Date().toISOString() };
      return bus.js.publish(bus.subject(`live.${address}`), JSON.stringify(message), { msgID: id });
    },
    async close(): Promise<void> {
      for (const stream of STREAMS) await bus.jsm.streams.delete(bus.named(stream)).catch(() => undefined);
      await bus.close();
    },
  };
}

export type Relay = Awaited<ReturnType<typeof connectRelay>>;
