import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '@tutoring/shared/kit/process/config';
import { migrate } from '@tutoring/shared/kit/database/migrate';
import { connectBus } from '@tutoring/shared/contract/bus';
import type { Bus } from '@tutoring/shared/kit/events/bus';
import { createLogger } from '@tutoring/shared/kit/process/logger';
import { startService, type RunningService } from '@tutoring/shared/kit/service';
import { sql } from '@tutoring/shared/testing/infra';
import { testKeys } from '@tutoring/shared/testing/keys';
import { user } from '@tutoring/shared/testing/user';
import { provision, startNats, startPostgres } from '../deploy/local/servers.ts';
import { wallet } from '../services/wallet/src/app.ts';

const PASSWORDS = { wallet_owner: 'o'.repeat(24), wallet_service: 's'.repeat(24) };
const BATCH = 500;

/** The streams and the database of a wallet that is not running yet. */
interface Stand {
  bus: Bus;
  start(): Promise<RunningService>;
  /** Waits until this many events have been consumed. */
  consumed(count: number): Promise<void>;
}

/** PostgreSQL writes every commit to the disk. NATS does not, because consuming waits only for PostgreSQL's disk. */
async function withStand(work: (stand: Stand) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-consumers-'));
  const log = () => undefined;
  const postgres = await startPostgres({ durable: true, dataDir: join(folder, 'postgres'), log });
  const nats = await startNats({ dataDir: join(folder, 'nats'), log });
  try {
    const urls = (await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS }))['wallet'];
    if (!urls) throw new Error('no database');
    await migrate(urls.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
    const env = {
      ...{ LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'http://localhost', NATS_URL: nats.url },
      ...{ IDENTITY_URL: 'http://localhost:9', ...testKeys('wallet'), SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) },
      DATABASE_URL: urls.serviceUrl,
    };
    const logger = createLogger('bench', 'silent');
    const config = parseConfig(wallet.config, env);
    const start = () => startService(wallet, config, logger);
    // Creates the streams.
    await (await start()).stop();
    const bus = await connectBus({ url: nats.url, prefix: config.NATS_PREFIX, name: 'bench', limits: config, logger });
    const inboxSize = async () => Number((await sql(urls.ownerUrl, 'select count(*) as n from inbox'))[0]!['n']);
    const consumed = async (count: number) => {
      while ((await inboxSize()) < count) await sleep(100);
    };
    await work({ bus, start, consumed });
    await bus.close();
  } finally {
    await nats.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a replica during `work`; prints the rate of `count` events, and the CPU time per event. */
async function measure(
  title: string,
  count: number,
  { start }: Stand,
  work: (replica: RunningService) => Promise<void>,
) {
  const began = performance.now();
  const cpu = process.cpuUsage();
  const replica = await start();
  await work(replica);
  const seconds = (performance.now() - began) / 1_000;
  const { user: inUser, system } = process.cpuUsage(cpu);
  await replica.stop();
  const rate = Math.round(count / seconds).toLocaleString('en');
  console.log(`  ${title}: ${rate} events/s, ${((inUser + system) / count).toFixed(0)} µs of CPU time each`);
}

/** Publishes `changes` events of each user, with ascending versions. */
async function publishUsers(bus: Bus, total: number, changes: number): Promise<void> {
  for (let published = 0; published < total; published += BATCH)
    await Promise.all(
      Array.from({ length: BATCH }, (_none, index) => {
        const data = {
          ...user(Math.floor((published + index) / changes) + 1, 'student'),
          version: published + index + 1,
        };
        const message = { id: randomUUID(), name: 'user.changed', data, context: {}, created_at: data.created_at };
        return bus.js.publish(bus.subject('events.user.changed'), JSON.stringify(message));
      }),
    );
}

/**
 * `npm run bench -- consumers [events]`: how fast a replica of the wallet consumes events that wait for its start: one
 * event per user, then ten per user.
 */
export async function run([events = '20000']: string[]): Promise<void> {
  const total = Number(events);
  await withStand(async (stand) => {
    await publishUsers(stand.bus, total, 1);
    await measure('one change per user', total, stand, () => stand.consumed(total));
    await publishUsers(stand.bus, total, 10);
    await measure('ten changes per user', total, stand, () => stand.consumed(2 * total));
  });
}
