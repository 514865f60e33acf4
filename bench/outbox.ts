import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase } from '@tutoring/shared/database/open';
import { housekeeping, MORE } from '@tutoring/shared/jobs';
import { createLogger } from '@tutoring/shared/process/logger';
import { sql } from '@tutoring/shared/testing/infra';
import { provision, startPostgres } from '../deploy/local/servers.ts';

const ROWS = 500_000;
const PASSWORDS = { calls_owner: 'o'.repeat(24), calls_service: 's'.repeat(24) };
const logger = createLogger('bench', 'silent');

const SEED = `
  insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, sent_at)
  select 'events.setting.changed', 'setting.changed', 'old', 0, jsonb_build_object('text', repeat('x', 300)), '{}',
    now() - interval '14 days' - n * interval '1 millisecond'
  from generate_series(1, $1::int) n`;

/** `npm run bench -- outbox`: how fast sent events are removed, by one replica and by two. The goal is 2,000/s. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-outbox-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const { calls } = await provision(postgres.url, { names: ['calls'], passwords: PASSWORDS });
    if (!calls) throw new Error('no database');
    await migrate(calls.ownerUrl, new URL('../services/calls/migrations/', import.meta.url));
    const database = await openDatabase({ url: calls.serviceUrl, name: 'bench', pool: 10, logger });
    for (const replicas of [1, 2]) {
      await sql(calls.ownerUrl, SEED, [ROWS]);
      await sql(calls.ownerUrl, 'vacuum analyze outbox');
      const job = housekeeping(database);
      const began = performance.now();
      const drain = async () => {
        while ((await job.run()) === MORE);
      };
      await Promise.all(Array.from({ length: replicas }, drain));
      const seconds = (performance.now() - began) / 1_000;
      const left = await sql(calls.ownerUrl, 'select 1 from outbox limit 1');
      if (left.length > 0) throw new Error('something was left');
      console.log(`  ${replicas} replica(s): ${Math.round(ROWS / seconds).toLocaleString('en')} rows/s`);
    }
    await database.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
