import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { topology } from '@tutoring/shared/contract/bus';
import { PREVIOUS, type ConsumerOf } from '@tutoring/shared/kit/events/streams';
import { SERVICES } from '@tutoring/shared/contract/names';
import { setTimeout as pause } from 'node:timers/promises';
import type { World } from '../world.ts';

/** All background work must be done within this time after the last fault and the last request. */
export const REST_MS = 30_000;

const UNFINISHED: Record<string, [service: (typeof SERVICES)[number], statement: string]> = {
  'calls that are not settled': ['calls', `select identifier, state from call where not settled limit 5`],
  'holds of calls': [
    'wallet',
    `select reference from hold where state = 'open' and call_identifier is not null limit 5`,
  ],
  // A replica that dies leaves its claim, which ends after a minute.
  'payouts that no provider was asked about': [
    'wallet',
    `select reference from payout_item where ask_at < app_now() - interval '15 seconds' limit 5`,
  ],
  'unsent messages': ['identity', `select id, attempts from outgoing limit 5`],
};

/** Descriptions of unsent events, open work and unconsumed events; empty when the system is at rest. */
async function unfinishedWork({ stack }: World): Promise<string[]> {
  const found: string[] = [];
  for (const service of SERVICES) {
    const rows = await stack.sql(service, 'select name from outbox where sent_at is null limit 5');
    if (rows.length > 0) found.push(`unsent events of ${service}: ${JSON.stringify(rows)}`);
  }
  for (const [what, [service, statement]] of Object.entries(UNFINISHED)) {
    const rows = await stack.sql(service, statement);
    if (rows.length > 0) found.push(`${what}: ${JSON.stringify(rows)}`);
  }
  const connection = await connect({ ...stack.broker, timeout: 3_000 });
  try {
    const jsm = await jetstreamManager(connection);
    // Only the previous release reads new events from its stream.
    const isRead = ({ stream, consumer }: ConsumerOf) => stream !== PREVIOUS || consumer.endsWith('-resync');
    for (const { stream, consumer } of topology.allConsumers().filter(isRead)) {
      const info = await jsm.consumers.info(`tutoring-${stream}`, `tutoring-${consumer}`).catch(() => undefined);
      const what = `${consumer} of ${stream}`;
      if (!info) found.push(`NATS has no consumer ${what}`);
      else if (info.num_pending + info.num_ack_pending > 0)
        found.push(`${what} has ${info.num_pending} pending and ${info.num_ack_pending} unacknowledged events`);
    }
  } finally {
    await connection.close();
  }
  return found;
}

/** Waits until the system is at rest. Returns the milliseconds; records a violation after `REST_MS`. */
export async function waitUntilAtRest(world: World): Promise<number> {
  const since = performance.now();
  for (;;) {
    const found = await unfinishedWork(world).catch((error: unknown) => [String(error)]);
    const tookMs = Math.round(performance.now() - since);
    if (found.length === 0) return tookMs;
    if (tookMs > REST_MS) {
      world.record.violation(`not at rest within ${REST_MS / 1000} s`, found.join('; '));
      return tookMs;
    }
    await pause(200);
  }
}
