import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { copyIntoPartitions } from '@tutoring/shared/database/partitions';
import { row, rows } from '@tutoring/shared/database/sql';
import type { ServiceName } from '@tutoring/shared/process-names';
import { eventually } from '@tutoring/shared/testing/wait';
import { keepDoing, releasedDatabase, type ReleasedDatabase } from './released-database.ts';

/*
 * Tables that are copied into partitions while replicas write and read them, with the statements of the release before.
 * What they have got an answer for is in the table, once; nothing fails.
 */

interface Copied {
  service: ServiceName;
  table: string;
  partitions: number;
  /** How many rows `seed` makes. */
  old: number;
  /** What rows refer to. */
  before: string[];
  /** Rows of the time before. */
  seed: string;
  /** Adds the row `$1`; returns its id. */
  write: string;
  /** Answers with the id of the row `$1`. */
  read: string;
}

const TABLES: Copied[] = [
  {
    service: 'messaging',
    table: 'message',
    partitions: 32,
    old: 3_000,
    before: [
      `insert into room (uuid, student_id, teacher_id) select md5('r' || g)::uuid, g, g + 1000 from generate_series(0, 99) g`,
    ],
    seed: `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
      select md5('r' || g % 100)::uuid, g % 100, repeat('x', 200), 'text', 'old' || g, app_now() from generate_series(1, 3000) g`,
    write: `insert into message (room_uuid, sender_id, message, type, client_message_id, created_at)
      values (md5('r' || $1::int % 100)::uuid, $1::int % 100, 'new', 'text', 'new' || $1::int, app_now()) returning id`,
    read: `select id from message where room_uuid = md5('r' || $1::int % 100)::uuid and sender_id = $1::int % 100
      and client_message_id = 'new' || $1::int`,
  },
  {
    service: 'wallet',
    table: 'transfer',
    partitions: 16,
    old: 6_000,
    before: [],
    seed: `insert into transfer (kind, reference, debit_account, credit_account, amount)
      select 'call', 'call:old:step:' || g, g, g + 1, g from generate_series(1, 6000) g`,
    write: `insert into transfer (kind, reference, debit_account, credit_account, amount)
      values ('call', 'call:new:step:' || $1::int, $1::int, $1::int + 1, $1::int) returning id`,
    read: `select id from transfer where reference = 'call:new:step:' || $1::int and kind = 'call'`,
  },
];

describe.each(TABLES)('$table', ({ service, table, partitions, old, before, seed, write, read }) => {
  let released: ReleasedDatabase;
  beforeEach(async () => {
    released = await releasedDatabase(service);
    for (const statement of [...before, seed]) await released.asOwner(statement);
  });
  afterEach(() => released.drop());

  const kindOf = async () =>
    (await released.asOwner(`select relkind from pg_class where oid = $1::regclass`, [`public.${table}`]))[0]?.[
      'relkind'
    ];

  test('is copied and switched under load; nothing fails, is lost or doubled', async () => {
    const { database } = released;
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
    await eventually('there is load', () => load.rounds() > 50);
    await released.upgrade();
    expect(await kindOf()).toBe('r');
    const until = written.size + 50;
    let steps = 0;
    while (await copyIntoPartitions(database, 10)) steps += 1;
    expect(steps).toBeGreaterThan(5);
    await eventually('more is written', () => written.size > until);
    expect(await kindOf()).toBe('p');
    const switchedAt = load.rounds();
    await eventually('there is load after the switch', () => load.rounds() > switchedAt + 50);
    await load.stop();

    const all = await released.asOwner(`select count(*)::int as n, count(distinct id)::int as ids from ${table}`);
    expect(all).toEqual([{ n: old + written.size, ids: old + written.size }]);
    for (const [n, id] of written) expect(await row(database.manager, read, [n])).toEqual({ id });
    const parts = await released.asOwner(`select distinct tableoid from ${table}`);
    expect(parts.length).toBe(partitions);
  });

  test('keeps its keys, its rights and its triggers, and its rows are out of reach by another name', async () => {
    const { database } = released;
    await released.asOwner(
      `create function wall() returns trigger language plpgsql as $$ begin raise 'a wall'; end $$`,
    );
    await released.asOwner(`create trigger wall before update on ${table} for each row execute function wall()`);
    const added = await row<{ id: number }>(database.manager, write, [1]);
    await released.upgrade();
    // The owner too: a change would have to be made twice.
    await expect(released.asOwner(`delete from ${table}`)).rejects.toThrow('is being partitioned');
    while (await copyIntoPartitions(database));
    expect(await kindOf()).toBe('p');
    expect(await row(database.manager, write, [2])).toEqual({ id: added!.id + 1 });
    await expect(rows(database.manager, write, [1])).rejects.toThrow('duplicate key');
    for (const statement of [`update ${table} set created_at = now()`, `delete from ${table}`, `truncate ${table}`])
      await expect(rows(database.manager, statement)).rejects.toThrow('permission denied');
    await expect(rows(database.manager, `select from partitions.${table}_00`)).rejects.toThrow('permission denied');
    await expect(rows(database.manager, `select partition_swap('${table}')`)).rejects.toThrow(
      /permission denied|must be/,
    );
    await expect(released.asOwner(`update ${table} set created_at = now()`)).rejects.toThrow('a wall');
    const left = await released.asOwner(
      `select tgname from pg_trigger where tgrelid = 'public.${table}'::regclass and tgname like 'partition%'`,
    );
    expect(left).toEqual([]);
  });

  test('a copy that was cut goes on where it was, and one that differs is not switched to', async () => {
    const { database } = released;
    await released.upgrade();
    await copyIntoPartitions(database, 10);
    const cut = database.transact(async (tx) => {
      await rows(tx, 'select partition_copy($1, 10)', [table]);
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    const done = async () =>
      (
        await released.asOwner(
          'select copied::int as copied, blocks::int as blocks from partitioning where table_name = $1',
          [table],
        )
      )[0]!;
    expect((await done())['copied']).toBe(10);
    while ((await done())['copied'] !== (await done())['blocks']) await copyIntoPartitions(database, 1_000);
    await released.asOwner(`delete from twin.${table} where id = 7`);
    expect(await copyIntoPartitions(database)).toBe(false);
    expect([await kindOf(), await done()]).toMatchObject(['r', { copied: 0 }]);
    while (await copyIntoPartitions(database));
    expect(await kindOf()).toBe('p');
    expect(await released.asOwner(`select id::int from ${table} where id = 7`)).toEqual([{ id: 7 }]);
    // What ran may run again.
    await released.asOwner(`delete from migrations where name ~ '-by-(room|reference)\\d+$'`);
    await released.upgrade();
    expect(await kindOf()).toBe('p');
  });
});
