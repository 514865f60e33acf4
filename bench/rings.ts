import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeliverPolicy } from '@nats-io/jetstream';
import { parseConfig, streamConfig } from '@tutoring/shared/kit/process/config';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { openDatabase } from '@tutoring/shared/kit/database/open';
import { rows } from '@tutoring/shared/kit/database/sql';
import { connectBus } from '@tutoring/shared/contract/bus';
import { publish } from '@tutoring/shared/contract/publish';
import { startRelay } from '@tutoring/shared/kit/events/relay/relay';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { sql } from '@tutoring/shared/testing/infra';
import { provision, startNats, startPostgres } from '../deploy/local/servers.ts';
import { milliseconds, percentile } from './calls/load.ts';

const PASSWORDS = { calls_owner: 'o'.repeat(24), calls_service: 's'.repeat(24) };
const ROUNDS = 15;
const STEPS = [0, 500, 2_000];
const BURST = `
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context)
  select 'live.user.1.2', 'call.metered', 'user.1.2', 0, jsonb_build_object('text', repeat('x', 300)), '{}'
  from generate_series(1, $1::int) n`;
const RING = {
  to: { student: 5, teacher: 4 },
  event: 'call.rejected',
  data: { identifier: 'x', channel: 'y', call_type: 'audio', student_id: 5, teacher_id: 4 },
} as const;

/**
 * `npm run bench -- rings`: the time from the commit of a call's event to its arrival at a gateway's consumer, right
 * after a burst of charged steps, and the time of the whole burst. Only relay, PostgreSQL and NATS run, with all disk
 * writes.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-rings-'));
  const logger = createLogger('bench', 'silent');
  const options = { durable: true, log: () => undefined };
  const postgres = await startPostgres({ ...options, dataDir: join(folder, 'postgres') });
  const nats = await startNats({ ...options, dataDir: join(folder, 'nats') });
  try {
    const { calls } = await provision(postgres.url, { names: ['calls'], passwords: PASSWORDS });
    if (!calls) throw new Error('no database');
    await migrate(calls.ownerUrl, new URL('../services/calls/migrations/', import.meta.url));
    const database = await openDatabase({ url: calls.serviceUrl, name: 'bench', pool: 10, logger });
    const limits = parseConfig(streamConfig, {});
    const bus = await connectBus({ url: nats.url, prefix: 'bench', name: 'bench', limits, logger });
    await bus.ensureStreams();
    const relay = startRelay({ service: 'calls', database, bus, logger });
    database.onPublished(relay.wake);
    const consumer = await bus.js.consumers.get(bus.named('live'), {
      filter_subjects: bus.subject('live.user.5.4.*'),
      deliver_policy: DeliverPolicy.New,
    });
    const messages = await consumer.consume();
    const arrivals = messages[Symbol.asyncIterator]();
    const unsent = () => rows(database.manager, 'select 1 from outbox where sent_at is null limit 1');
    for (const steps of STEPS) {
      const rings: number[] = [];
      const bursts: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        await sql(calls.ownerUrl, BURST, [steps]);
        const began = performance.now();
        await database.transact((tx) => publish(tx, [RING]));
        const committed = performance.now();
        await arrivals.next();
        rings.push(performance.now() - committed);
        while ((await unsent()).length > 0);
        bursts.push(performance.now() - began);
      }
      const [p50, worst] = [percentile(rings, 0.5), percentile(rings, 1)].map(milliseconds);
      const all = milliseconds(percentile(bursts, 0.5));
      console.log(`  ring behind ${steps} steps: p50 ${p50}, longest of ${ROUNDS} ${worst}; burst sent after ${all}`);
    }
    await messages.close();
    await relay.stop();
    await bus.close();
    await database.close();
  } finally {
    await nats.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
