import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@tutoring/shared/database/migrate';
import { openDatabase, type Database } from '@tutoring/shared/database/open';
import { copyIntoPartitions } from '@tutoring/shared/database/partitions';
import { rows } from '@tutoring/shared/database/sql';
import { publish } from '@tutoring/shared/events/outbox';
import { createLogger } from '@tutoring/shared/logger';
import { sql } from '@tutoring/shared/testing/infra';
import { provision, startPostgres } from '../deploy/local/servers.ts';
import { copyReleased } from '../test/deploy/released-migrations.ts';

const ROOMS = 10_000;
const PAUSE_MS = 5;
const PASSWORDS = { messaging_owner: 'o'.repeat(24), messaging_service: 's'.repeat(24) };
const MIGRATIONS = new URL('../services/messaging/migrations/', import.meta.url);

const SEED = [
  `insert into room (uuid, student_id, teacher_id) select md5('r' || g)::uuid, g, g + 1000000 from generate_series(1, ${ROOMS}) g`,
  `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
   select md5('r' || g % ${ROOMS} + 1)::uuid, g % ${ROOMS} + 1, repeat('x', 80), 'text', 'c' || g, app_now() from generate_series(1, $1::int) g`,
  `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, sent_at)
   select 'live.user.1.1', 'x', 'x', 0, jsonb_build_object('text', repeat('x', 200)), '{}', now() from generate_series(1, $1::int / 2) g`,
  `insert into inbox (consumer, event_id) select 'x', uuidv7() from generate_series(1, $1::int / 2)`,
  'vacuum analyze',
];

const SEND = `insert into message (room_uuid, sender_id, message, type, created_at)
  select uuid, student_id, 'new', 'text', app_now() from room where uuid = md5('r' || $1::int)::uuid for no key update returning id`;
const READ = `select id, message from message where room_uuid = md5('r' || $1::int)::uuid order by id desc limit 30`;

/** People who send, read and hear events all the time; how long each request took, and how many failed. */
function startLoad(database: Database) {
  let stopped = false;
  let failed = 0;
  let taken: number[] = [];
  const any = () => 1 + Math.floor(Math.random() * ROOMS);
  const send = () =>
    database.transact(async (tx) => {
      await rows(tx, SEND, [any()]);
      await publish(tx, 'setting.changed', { name: 'x', value: 1, version: 1 });
    });
  const read = () => rows(database.manager, READ, [any()]);
  const hear = () => rows(database.manager, `insert into inbox (consumer, event_id) values ('x', uuidv7())`);
  const repeat = async (request: () => Promise<unknown>) => {
    while (!stopped) {
      const began = performance.now();
      await request().catch(() => (failed += 1));
      taken.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const running = Promise.all([send, send, read, read, hear].map(repeat));
  return {
    /** Prints the figures since the last time. */
    print: (phase: string) => {
      const sorted = taken.sort((a, b) => a - b);
      const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
      console.log(
        `  ${phase}: ${sorted.length} requests, ${failed} failed, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
      );
      taken = [];
    },
    failed: () => failed,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

async function partition(owner: string, database: Database, messages: number): Promise<void> {
  const load = startLoad(database);
  const timed = async (phase: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1_000;
    load.print(`${phase}, ${seconds.toFixed(1)} s`);
    return seconds;
  };
  await timed('before', () => new Promise((resolve) => setTimeout(resolve, 5_000)));
  await timed('migration: outbox and inbox switched, messages mirrored', () => migrate(owner, MIGRATIONS));
  const seconds = await timed('messages copied, compared, switched', async () => {
    while (await copyIntoPartitions(database));
  });
  await timed('after', () => new Promise((resolve) => setTimeout(resolve, 5_000)));
  await load.stop();
  const [kind] = await sql(owner, `select relkind from pg_class where oid = 'public.message'::regclass`);
  if (kind?.['relkind'] !== 'p' || load.failed() > 0) throw new Error('not switched, or a request failed');
  console.log(`  ${Math.round(messages / seconds).toLocaleString('en')} messages/s copied`);
}

/**
 * `npm run bench -- partitions [messages]`: a database of the last release with so many messages (1,000,000) and half as
 * many events is partitioned while people use it.
 */
export async function run([given]: string[]): Promise<void> {
  const messages = Number(given ?? 1_000_000);
  const folder = await mkdtemp(join(tmpdir(), 'bench-partitions-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'data'), durable: true, log: () => undefined });
  try {
    const { messaging } = await provision(postgres.url, { names: ['messaging'], passwords: PASSWORDS });
    if (!messaging) throw new Error('no database');
    await migrate(
      messaging.ownerUrl,
      await copyReleased('services/messaging', folder),
      await copyReleased('shared', folder),
    );
    for (const statement of SEED) await sql(messaging.ownerUrl, statement, statement.includes('$1') ? [messages] : []);
    const logger = createLogger('bench', 'silent');
    const database = await openDatabase({ url: messaging.serviceUrl, name: 'bench', pool: 10, logger });
    await partition(messaging.ownerUrl, database, messages);
    await database.close();
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
