import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyIntoPartitions } from '@tutoring/shared/database/partitions';
import { row, rows } from '@tutoring/shared/database/sql';
import type { ServiceName } from '@tutoring/shared/process-names';
import { eventually } from '@tutoring/shared/testing/wait';
import { afterPartitions, databaseOfBefore, keepDoing, type DatabaseOfBefore } from './database-of-before.ts';

/*
 * Tables that are copied into partitions while replicas write and read them. What they have got an answer for is in the
 * table, once, and nothing fails.
 */

interface Copied {
  service: ServiceName;
  table: string;
  migration: string;
  /** What rows refer to. */
  before: string[];
  /** 6,000 rows of the time before. */
  seed: string;
  /** Adds the row `$1`; returns its id. */
  write: string;
  /** Answers with the id of the row `$1`. */
  read: string;
}

const SEEDED = 6_000;

const TABLES: Copied[] = [
  {
    service: 'messaging',
    table: 'message',
    migration: '1764000001670-messages-by-room.sql',
    before: [
      `insert into room (uuid, student_id, teacher_id) select md5('r' || g)::uuid, g, g + 1000 from generate_series(0, 99) g`,
    ],
    seed: `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
      select md5('r' || g % 100)::uuid, g % 100, repeat('x', 100), 'text', 'old' || g, app_now() from generate_series(1, 6000) g`,
    write: `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
      values (md5('r' || $1::int % 100)::uuid, $1::int % 100, 'new', 'text', 'new' || $1::int, app_now()) returning id`,
    read: `select id from message where room_uuid = md5('r' || $1::int % 100)::uuid and sender_id = $1::int % 100
      and client_message_id = 'new' || $1::int`,
  },
  {
    service: 'wallet',
    table: 'transfer',
    migration: '1764000001660-transfers-by-reference.sql',
    before: [],
    seed: `insert into transfer (kind, reference, debit_account, credit_account, amount)
      select 'call', 'call:old:step:' || g, g, g + 1, g from generate_series(1, 6000) g`,
    write: `insert into transfer (kind, reference, debit_account, credit_account, amount)
      values ('call', 'call:new:step:' || $1::int, $1::int, $1::int + 1, $1::int) returning id`,
    read: `select id from transfer where reference = 'call:new:step:' || $1::int and kind = 'call'`,
  },
];

describe.each(TABLES)('$table', ({ service, table, migration, before, seed, write, read }) => {
  let place: DatabaseOfBefore;
  beforeEach(async () => {
    place = await databaseOfBefore(service, (file) => file === migration || afterPartitions(file));
    for (const statement of [...before, seed]) await place.asOwner(statement);
  });
  afterEach(() => place.drop());

  const isPartitioned = async () =>
    (await place.asOwner(`select relkind = 'p' as it from pg_class where oid = $1::regclass`, [`public.${table}`]))[0]![
      'it'
    ];
  const progress = async () =>
    (
      await place.asOwner('select copied::int, blocks::int from partitioning.progress where table_name = $1', [table])
    )[0]!;
  const isRetired = async () =>
    (await place.asOwner(`select to_regclass($1) is not null as it`, [`retired.${table}`]))[0]!['it'];
  const copyAll = async () => {
    while (await copyIntoPartitions(place.database));
  };
  /** Returns the number of steps. */
  const copyUntilSwitched = async (blocks: number) => {
    let steps = 0;
    for (; !(await isPartitioned()); steps += 1) await copyIntoPartitions(place.database, blocks);
    return steps;
  };
  const sumOf = async (name: string) =>
    (
      await place.asOwner(`select count(*)::int as rows, sum(hashtextextended(t::text, 0))::text as sum from ${name} t`)
    )[0]!;

  test('is copied and switched under load; nothing fails, is lost or doubled', async () => {
    const { database } = place;
    const written = new Map<number, number>();
    let next = 0;
    const writer = async () => {
      const n = (next += 1);
      const [added] = await database.transact((tx) => rows<{ id: number }>(tx, write, [n]));
      written.set(n, added!.id);
    };
    const reader = async () => {
      const n = [...written.keys()].at(Math.floor(Math.random() * written.size)) ?? 0;
      expect(await row(database.manager, read, [n])).toEqual(n === 0 ? undefined : { id: written.get(n) });
    };
    const load = keepDoing([writer, writer, reader, reader]);
    await eventually('there is load', () => Promise.resolve(load.rounds() > 50));
    await place.upgrade();
    expect(await isPartitioned()).toBe(false);
    const until = written.size + 50;
    expect(await copyUntilSwitched(10)).toBeGreaterThan(5);
    await eventually('more is written', () => Promise.resolve(load.rounds() > 0 && written.size > until));
    const switchedAt = load.rounds();
    await eventually('there is load after the switch', () => Promise.resolve(load.rounds() > switchedAt + 50));
    const last = (await place.asOwner(`select max(id) as id from retired.${table}`))[0]!['id'];
    const rowsOfBefore = await sumOf(`retired.${table}`);
    while (await copyIntoPartitions(database, 10));
    expect(await isRetired()).toBe(false);
    await load.stop();

    const all = await place.asOwner(`select count(*)::int as n, count(distinct id)::int as ids from ${table}`);
    expect(all).toEqual([{ n: SEEDED + written.size, ids: SEEDED + written.size }]);
    for (const [n, id] of written) expect(await row(database.manager, read, [n])).toEqual({ id });
    expect(await place.asOwner(`select distinct tableoid from ${table}`)).toHaveLength(8);
    expect(await sumOf(`(select * from ${table} where id <= ${String(last)})`)).toEqual(rowsOfBefore);
  });

  test('keeps its ids, keys and rights, and its rows are out of reach by another name', async () => {
    const { database } = place;
    const refused = (statement: string, parameters: unknown[] = []) =>
      rows(database.manager, statement, parameters).then(
        () => undefined,
        (error: { constraint?: string; message: string }) => error,
      );
    const added = await row<{ id: number }>(database.manager, write, [1]);
    const repeated = await refused(write, [1]);
    const described = `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where conrelid = $1::regclass and contype <> 'p' order by 1`;
    const constraints = await place.asOwner(described, [table]);
    await place.upgrade();
    // The owner too: a change would have to be made twice.
    await expect(place.asOwner(`delete from ${table}`)).rejects.toThrow('is being partitioned');
    await copyUntilSwitched(100);
    expect(await place.asOwner(described, [table])).toEqual(constraints);
    // The refused one had an id too.
    expect(await row(database.manager, write, [2])).toEqual({ id: added!.id + 2 });
    const again = await refused(write, [1]);
    expect([again?.message, again?.constraint]).toEqual([repeated?.message, repeated?.constraint]);
    expect(again?.message).toContain('duplicate key');
    for (const statement of [
      `update ${table} set created_at = now()`,
      `delete from ${table}`,
      `truncate ${table}`,
      `select from part_0.${table}`,
      `select from retired.${table}`,
      `select partitioning.swap('${table}')`,
    ])
      expect(await refused(statement)).toMatchObject({
        message: expect.stringContaining('permission denied') as unknown,
      });
    const triggers = `select tgname from pg_trigger where tgrelid = 'public.${table}'::regclass and not tgisinternal`;
    expect(await place.asOwner(triggers)).toEqual([]);
  });

  test('a copy that was cut goes on where it was, and a table whose copy differs is not switched', async () => {
    const { database } = place;
    await place.upgrade();
    await copyIntoPartitions(database, 10);
    const cut = database.transact(async (tx) => {
      await rows(tx, 'select copy_partitions(10)');
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    expect(await progress()).toMatchObject({ copied: 10 });
    // Somebody has been at the copy.
    const forged = `insert into twin.${table} select * from public.${table} where id = 6000`;
    await place.asOwner(forged);
    await place.asOwner(`update twin.${table} set created_at = created_at + interval '1 day' where id = 6000`);
    await expect(copyAll()).rejects.toThrow('differ from their copies');
    expect(await isPartitioned()).toBe(false);
    await place.asOwner(`delete from twin.${table} where id = 6000`);
    await copyAll();
    expect(await isPartitioned()).toBe(true);
    // What ran may run again.
    await place.asOwner(`delete from migrations where name ~ '-by-(room|reference)\\d+$'`);
    await place.upgrade();
    expect(await isPartitioned()).toBe(true);
    expect(await place.asOwner(`select count(*)::int as n from ${table}`)).toEqual([{ n: SEEDED }]);
  });

  test('a copy that the release before has begun goes on, and its old table goes when all of it is found again', async () => {
    const { database } = place;
    await place.upgrade(afterPartitions);
    await copyIntoPartitions(database, 10);
    const written = await row<{ id: number }>(database.manager, write, [1]);
    const rowsOfBefore = await sumOf(table);
    await place.upgrade();
    expect([await isPartitioned(), await sumOf(table)]).toEqual([false, rowsOfBefore]);
    expect(await progress()).toMatchObject({ copied: 10 });
    await copyUntilSwitched(10);
    expect([await isRetired(), await sumOf(table)]).toEqual([true, rowsOfBefore]);
    await copyAll();
    expect([await isRetired(), await sumOf(table)]).toEqual([false, rowsOfBefore]);
    expect(await row(database.manager, read, [1])).toEqual(written);
  });

  test('a table that the release before has switched is compared and dropped', async () => {
    await place.upgrade(afterPartitions);
    const rowsOfBefore = await sumOf(table);
    await copyAll();
    expect([await isPartitioned(), await isRetired()]).toEqual([true, true]);
    await place.upgrade();
    await copyAll();
    expect([await isRetired(), await sumOf(table)]).toEqual([false, rowsOfBefore]);
    expect(await copyIntoPartitions(place.database)).toBe(false);
  });

  test('an old table with a row that is not found again stays, and so does one that a backup reads', async () => {
    await place.upgrade();
    await copyUntilSwitched(100);
    const lost = `delete from ${table} where id = 6000`;
    await place.asOwner(lost);
    await expect(copyAll()).rejects.toThrow(`1 rows of retired.${table} are not in ${table} as they were: it stays`);
    await place.asOwner(`insert into ${table} overriding system value select * from retired.${table} where id = 6000`);
    await place.asOwner(`update ${table} set created_at = created_at + interval '1 day' where id = 6000`);
    await expect(copyAll()).rejects.toThrow('it stays');
    await place.asOwner(lost);
    await place.asOwner(`insert into ${table} overriding system value select * from retired.${table} where id = 6000`);
    await place.whileOwnerHas(`lock table retired.${table} in access share mode`, () =>
      expect(copyAll()).rejects.toThrow('lock timeout'),
    );
    expect(await isRetired()).toBe(true);
    await copyAll();
    expect(await isRetired()).toBe(false);
  });
});
