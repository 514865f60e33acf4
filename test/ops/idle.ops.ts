import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICES } from '@tutoring/shared/contract/names';
import { infra, sql } from '@tutoring/shared/testing/infra';
import { startSystem, type System } from '../journeys/system.ts';

/* The load of an idle system on PostgreSQL: small managed databases limit connections and wake up for transactions. */

const MEASURED_S = 20;
/** Pools close connections that were idle for ten seconds. */
const SETTLED_S = 15;

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

test('an idle system has at most 12 connections per replica and 10 transactions a second over all services', async () => {
  const databases = await Promise.all(
    SERVICES.map(async (service) => (await system.sql(service, 'select current_database() as name'))[0]!['name']),
  );
  const { databaseUrl } = infra();
  const transactions = async () => {
    const [counted] = await sql(
      databaseUrl,
      'select sum(xact_commit + xact_rollback)::int as count from pg_stat_database where datname = any($1)',
      [databases],
    );
    return counted!['count'] as number;
  };
  await sleep(SETTLED_S * 1_000);
  const before = await transactions();
  const most: Record<string, number> = {};
  for (let second = 0; second < MEASURED_S; second += 1) {
    await sleep(1_000);
    const open = await sql(
      databaseUrl,
      'select application_name as name, count(*)::int from pg_stat_activity where datname = any($1) group by 1',
      [databases],
    );
    for (const { name, count } of open as { name: string; count: number }[])
      most[name] = Math.max(most[name] ?? 0, count);
  }
  const perSecond = ((await transactions()) - before) / MEASURED_S;
  process.stdout.write(`${JSON.stringify({ connections: most, transactionsPerSecond: perSecond })}\n`);
  for (const service of SERVICES) expect(most[service] ?? 0).toBeLessThanOrEqual(12);
  expect(perSecond).toBeLessThanOrEqual(10);
});
