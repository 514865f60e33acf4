import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '@tutoring/shared/config';
import { migrate } from '@tutoring/shared/database/migrate';
import { connectBus } from '@tutoring/shared/events/bus';
import { createLogger } from '@tutoring/shared/logger';
import { startService } from '@tutoring/shared/service';
import { sql } from '@tutoring/shared/testing/infra';
import { testKeys } from '@tutoring/shared/testing/keys';
import { user } from '@tutoring/shared/testing/user';
import { provision, startNats, startPostgres } from '../deploy/local/servers.ts';
import { wallet } from '../services/wallet/src/app.ts';

const PASSWORDS = { wallet_owner: 'o'.repeat(24), wallet_service: 's'.repeat(24) };
const AT_ONCE = 500;

/**
 * `npm run bench -- consumers [events]`: how many events one replica of the wallet takes in, one round with a user each
 * and one in which every user changes ten times. They wait when it starts.
 */
export async function run([events = '20000']: string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-consumers-'));
  const options = { durable: true, log: () => undefined };
  const postgres = await startPostgres({ ...options, dataDir: join(folder, 'postgres') });
  // Not durable, so that telling the events takes no time: taking them in waits for PostgreSQL's disk alone.
  const nats = await startNats({ ...options, durable: false, dataDir: join(folder, 'nats') });
  try {
    const place = (await provision(postgres.url, { names: ['wallet'], passwords: PASSWORDS }))['wallet'];
    if (!place) throw new Error('no database');
    await migrate(place.ownerUrl, new URL('../services/wallet/migrations/', import.meta.url));
    const env = {
      ...{ LOG_LEVEL: 'error', HOST: '127.0.0.1', PORT: '0', PUBLIC_URL: 'http://localhost', NATS_URL: nats.url },
      ...{ IDENTITY_URL: 'http://localhost:9', ...testKeys('wallet'), SANDBOX_WEBHOOK_SECRET: 's'.repeat(32) },
      DATABASE_URL: place.serviceUrl,
    };
    const logger = createLogger('bench', 'silent');
    const config = parseConfig(wallet.config, env);
    const start = () => startService(wallet, config, logger);
    // Makes the streams.
    await (await start()).stop();
    const bus = await connectBus({ url: nats.url, prefix: config.NATS_PREFIX, name: 'bench', limits: config, logger });
    const heard = async () => Number((await sql(place.ownerUrl, 'select count(*) as n from inbox'))[0]!['n']);
    const total = Number(events);
    for (const [title, changes] of [
      ['a user each', 1],
      ['ten changes of a user', 10],
    ] as const) {
      const before = await heard();
      for (let told = 0; told < total; told += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_none, place) => {
            const data = { ...user(Math.floor((told + place) / changes) + 1, 'student'), version: told + place + 1 };
            const message = { id: randomUUID(), name: 'user.changed', data, context: {}, created_at: data.created_at };
            return bus.js.publish(bus.subject('events.user.changed'), JSON.stringify(message));
          }),
        );
      const began = performance.now();
      const cpu = process.cpuUsage();
      const replica = await start();
      while ((await heard()) < before + total) await sleep(50);
      const seconds = (performance.now() - began) / 1_000;
      const used = process.cpuUsage(cpu);
      await replica.stop();
      console.log(
        `  ${title}: ${Math.round(total / seconds).toLocaleString('en')} events/s, ${((used.user + used.system) / total).toFixed(0)} µs of processor time each`,
      );
    }
    await bus.close();
  } finally {
    await nats.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
