import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { rows } from '@tutoring/shared/database/sql';
import { publish } from '@tutoring/shared/events/outbox';
import { housekeeping, MORE } from '@tutoring/shared/jobs';
import type { ServiceName } from '@tutoring/shared/process-names';
import { eventually } from '@tutoring/shared/testing/wait';
import { keepDoing, releasedDatabase, type ReleasedDatabase } from './released-database.ts';

/* Tables that are partitioned by time: the switch under load, and what comes and goes afterwards. */

let released: ReleasedDatabase;
const start = async (service: ServiceName) => void (released = await releasedDatabase(service));
beforeEach(() => start('calls'));
afterEach(() => released.drop());

const query = <Row extends object>(statement: string, parameters: unknown[] = []) =>
  rows<Row>(released.database.manager, statement, parameters);
const partitionsOf = async (table: string) =>
  (
    await released.asOwner(
      `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent = $1::regclass order by 1`,
      [`public.${table}`],
    )
  ).map(({ name }) => String(name));
const clean = async () => {
  const job = housekeeping(released.database);
  while ((await job.run()) === MORE);
};

const event = `(subject, name, aggregate_id, aggregate_version, data, context, created_at, sent_at)
  select 'events.setting.changed', 'setting.changed', $1::text, 0, '{}', '{}', $2::timestamptz, $3::timestamptz`;
const addEvent = (name: string, createdAt: string, sentAt: string | null) =>
  released.asOwner(`insert into outbox ${event}`, [name, createdAt, sentAt]);
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const names = async () =>
  (await query<{ name: string }>('select aggregate_id as name from outbox order by 1')).map(({ name }) => name);

// As the release before sends, marks and removes.
const OLD_MARK = 'update outbox set sent_at = clock_timestamp() where id = any($1::bigint[]) and sent_at is null';
const oldSweep = (table: string, age: string, days: number) =>
  `delete from ${table} where ctid = any(array(select ctid from ${table}
   where ${age} < now() - interval '${days} days' order by ${age} limit 2000 for update skip locked)) returning 1`;

test('outbox and inbox are switched under load, with the release before beside: nothing fails, is lost or doubled', async () => {
  const { database } = released;
  await released.asOwner(
    `insert into outbox (subject, name, aggregate_id, aggregate_version, data, context, sent_at)
     select 'events.x', 'x', 'old', 0, '{}', '{}', now() from generate_series(1, 3000)`,
  );
  const published = new Set<number>();
  const sent: number[] = [];
  let next = 0;
  const tell = async () => {
    const value = (next += 1);
    await database.transact((tx) => publish(tx, 'setting.changed', { name: 'x', value, version: value }));
    published.add(value);
  };
  const relay = async () => {
    const pending = await query<{ id: number; value: number }>(
      `select id, (data ->> 'value')::int as value from outbox_pending('events', 0, 100)`,
    );
    await query(OLD_MARK, [pending.map(({ id }) => id)]);
    sent.push(...pending.map(({ value }) => value));
  };
  const receive = 'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing returning event_id';
  const received: string[] = [];
  const hear = async () => {
    const { id } = (await query<{ id: string }>('select uuidv7() as id'))[0]!;
    expect(await query(receive, ['x', id])).toHaveLength(1);
    received.push(id);
    expect(await query(receive, ['x', received[Math.floor(Math.random() * received.length)]])).toEqual([]);
  };
  const sweep = async () => {
    await query(oldSweep('outbox', 'sent_at', 14));
    await query(oldSweep('inbox', 'received_at', 15));
  };
  const load = keepDoing([tell, tell, relay, hear, sweep]);
  await eventually('there is load', () => load.rounds() > 100);
  await released.upgrade();
  const switchedAt = load.rounds();
  await eventually('there is load after the switch', () => load.rounds() > switchedAt + 200);
  await load.stop();
  await relay();

  expect(sent.length).toBe(published.size);
  expect(new Set(sent)).toEqual(published);
  expect(await query('select count(*) as n, count(distinct id) as ids from outbox')).toEqual([
    { n: 3_000 + published.size, ids: 3_000 + published.size },
  ]);
  for (const id of received) expect(await query(receive, ['x', id])).toEqual([]);
  expect(await partitionsOf('outbox')).toContain('outbox');
  expect(await partitionsOf('inbox')).toContain('inbox');
  // Neither a promise nor a trigger of the switch is left.
  expect(
    await released.asOwner(`select conrelid::regclass::text from pg_constraint where conname = 'partition_history'`),
  ).toEqual([]);
});

test('a transaction that stays open delays the switch, and nobody else for longer than a moment', async () => {
  const open = new pg.Client({ connectionString: released.ownerUrl });
  await open.connect();
  await open.query('begin');
  await open.query('select from outbox');
  const upgraded = released.upgrade();
  const waits = `select from pg_locks where relation = 'outbox'::regclass and mode = 'AccessExclusiveLock' and not granted`;
  for (let value = 1; value <= 5; value += 1) {
    await eventually('the switch waits', async () => (await released.asOwner(waits)).length > 0);
    // Fails when it waits for longer than requests do.
    await released.database.transact((tx) => publish(tx, 'setting.changed', { name: 'x', value, version: value }));
  }
  await open.query('rollback');
  await open.end();
  await upgraded;
  expect(await names()).toHaveLength(5);
  expect(await partitionsOf('outbox')).toContain('outbox');
});

test('a switch that was cut at any step is repeated', async () => {
  await addEvent('old', daysAgo(0), null);
  for (const step of [`partition_history('outbox', 'created_at')`, `partition_validate('outbox')`])
    await released
      .asOwner(`select ${step}`)
      .catch((error: unknown) => expect(`${error as Error}`).toContain('does not exist'));
  await released.upgrade();
  await released.asOwner(`delete from migrations where name like 'events-by-day%'`);
  await released.asOwner(`select partition_twin('outbox', 'created_at', 'range')`);
  await released.upgrade();
  expect(await names()).toEqual(['old']);
});

test('a partition is dropped when its day is over and nothing in it is young or unsent', async () => {
  await released.upgrade();
  const add = (day: string) =>
    released.asOwner(
      `select partition_add('outbox', 'outbox_' || to_char($1::date, 'YYYYMMDD'),
         format('for values from (%L) to (%L)', $1::date || ' 00:00+00', $1::date + 1 || ' 00:00+00'))`,
      [day],
    );
  for (const days of [20, 19, 18]) await add(daysAgo(days).slice(0, 10));
  await addEvent('gone', daysAgo(20), daysAgo(15));
  await addEvent('waits', daysAgo(19), null);
  await addEvent('was slow', daysAgo(18), daysAgo(13));
  await addEvent('in no partition', daysAgo(30), daysAgo(17));
  await addEvent('in no partition, young', daysAgo(30), daysAgo(15));
  const before = await partitionsOf('outbox');
  await clean();
  expect(await names()).toEqual(['in no partition, young', 'waits', 'was slow']);
  const gone = before.filter((name) => name === `outbox_${daysAgo(20).slice(0, 10).replaceAll('-', '')}`);
  expect(gone).toHaveLength(1);
  expect(await partitionsOf('outbox')).toEqual(before.filter((name) => !gone.includes(name)));
  // As the release before does: young rows stay, wherever a ctid is found.
  await query('delete from outbox');
  expect(await names()).toEqual(
    ['in no partition, young', 'waits', 'was slow'].filter((name) => !name.includes('young')),
  );
});

test('partitions are made ahead, with the settings of the old table; a day whose rows came first stays without', async () => {
  await released.upgrade();
  const made = await partitionsOf('outbox');
  expect(made).toHaveLength(5);
  const last = made.at(-2)!;
  await released.asOwner(`drop table partitions.${last}`);
  await addEvent('came first', daysAgo(-3), null);
  await released.asOwner(`update partitioning set made_until = current_date + 3 where table_name = 'outbox'`);
  await clean();
  expect(await partitionsOf('outbox')).toEqual(made.filter((name) => name !== last));
  await addEvent('came later', daysAgo(-3), null);
  expect(await names()).toEqual(['came first', 'came later']);
  expect(
    await released.asOwner(
      `select distinct reloptions from pg_class where relname ~ '^outbox_(\\d|default)' and relkind = 'r'
         and relnamespace = 'partitions'::regnamespace`,
    ),
  ).toEqual([{ reloptions: ['autovacuum_vacuum_scale_factor=0.02'] }]);
});

test('an event is known by its id, in whatever partition: also one that is no UUIDv7', async () => {
  await released.upgrade();
  const ids = [randomUUID(), (await query<{ id: string }>('select uuidv7() as id'))[0]!.id];
  const receive = 'insert into inbox (consumer, event_id) values ($1, $2) on conflict do nothing returning event_id';
  for (const id of ids) {
    expect(await query(receive, ['x', id])).toHaveLength(1);
    expect(await query(receive, ['x', id])).toEqual([]);
  }
});

test('old months of the audit are moved out by the owner, whole or not at all, and stay readable there', async () => {
  await released.drop();
  await start('identity');
  const act = (action: string, at: string) =>
    released.asOwner(
      `insert into audit (admin_id, admin_name, action, subject, request_id, created_at) values (1, 'a', $1, 's', 'r', $2)`,
      [action, at],
    );
  await act('long ago', daysAgo(800));
  await released.upgrade();
  // As if the switch had been years ago.
  await released.asOwner(`update partitioning set history_until = current_date - 700 where table_name = 'audit'`);
  const archive = `select * from partition_archive('audit', current_date - 365)`;
  const actions = () => query<{ action: string }>('select action from audit order by id');

  await expect(query(archive)).rejects.toThrow('permission denied');
  const cut = new pg.Client({ connectionString: released.ownerUrl });
  await cut.connect();
  await cut.query('begin');
  expect((await cut.query(archive)).rowCount).toBe(1);
  await cut.end();
  expect(await actions()).toEqual([{ action: 'long ago' }]);

  expect(await released.asOwner(archive)).toEqual([{ partition_archive: 'audit' }]);
  expect(await released.asOwner(archive)).toEqual([]);
  await act('now', daysAgo(0));
  expect(await actions()).toEqual([{ action: 'now' }]);
  expect(await released.asOwner('select action from archive.audit')).toEqual([{ action: 'long ago' }]);
  await expect(query('select from archive.audit')).rejects.toThrow('permission denied');
  await expect(query('delete from audit')).rejects.toThrow('permission denied');
});
