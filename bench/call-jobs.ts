import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { createLogger } from '@tutoring/shared/process/logger';
import { sql } from '@tutoring/shared/testing/infra';
import { provision, startPostgres } from '../deploy/local/servers.ts';
import { claimOpenCalls, claimUncoveredCalls } from '../services/calls/src/billing/billing-store.ts';
import { lapsedCalls } from '../services/calls/src/call/call-store.ts';

const PASSWORDS = { calls_owner: 'o'.repeat(24), calls_service: 's'.repeat(24) };
const SIZES = [1_000, 50_000];
const TICKS = 200;

/** Live calls in their first hour, of which nothing is due. */
const BEGIN = `with begun as (insert into call (state, call_type, channel, student_id, teacher_id, service_id, ring_expires_at, accepted_at,
    iterator, base_cost, iterator_cost, commission_percent, steps, steps_due, reserved)
  select case when g % 10 = 0 then 'ringing' else 'active' end, 'video', gen_random_uuid(), g, g,
    (select min(id) from service), at, case when g % 10 > 0 then app_now() end, 3600, 1, 1, 10, step, step, g % 2
  from generate_series((select count(*) + 1 from call), $1::bigint) g,
    lateral (select app_now() + interval '1 hour' as at, case when g % 10 > 0 then 1 else 0 end as step) as of_call
  returning *)
  insert into call_deadline (call_id, lapse_at, uncovered_at)
  select id, app_now() + interval '1 hour', case when state = 'active' and reserved = 0 then app_now() + interval '1 hour' end
  from begun`;

/** What the jobs of one replica ask in a second. */
const tick = async (database: Database) => {
  for (let look = 0; look < 2; look += 1) await database.transact((tx) => lapsedCalls(tx, 100));
  await database.autocommit((tx) => claimUncoveredCalls(tx, 100));
  await database.autocommit((tx) => claimOpenCalls(tx, 128));
};

/** `npm run bench -- call-jobs`: what the jobs of a replica take in a second with 1,000 and 50,000 live calls. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-call-jobs-'));
  const postgres = await startPostgres({ dataDir: folder, durable: true, log: () => undefined });
  try {
    const { calls } = await provision(postgres.url, { names: ['calls'], passwords: PASSWORDS });
    if (!calls) throw new Error('no database');
    await migrate(calls.ownerUrl, new URL('../services/calls/migrations/', import.meta.url));
    await sql(
      calls.ownerUrl,
      `insert into service (name, iterator, base_cost, iterator_cost) values ('X', 3600, 1, 1)`,
    );
    const database = await openDatabase({
      url: calls.serviceUrl,
      name: 'bench',
      pool: 1,
      logger: createLogger('bench', 'silent'),
    });
    const took: number[] = [];
    for (const size of SIZES) {
      await sql(calls.ownerUrl, BEGIN, [size]);
      await sql(calls.ownerUrl, 'vacuum analyze');
      await tick(database);
      const began = performance.now();
      for (let turn = 0; turn < TICKS; turn += 1) await tick(database);
      took.push((performance.now() - began) / TICKS);
      console.log(`  ${size.toLocaleString('en')} live calls: ${took.at(-1)!.toFixed(2)} ms in a second`);
    }
    console.log(`  ratio: ${(took[1]! / took[0]!).toFixed(2)}`);
    await database.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
