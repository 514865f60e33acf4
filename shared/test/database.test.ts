import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../kit/process/logger.ts';
import { isoMicroseconds, safeInteger } from '../kit/database/connection.ts';
import { upsertNewerSql } from '../kit/database/copies.ts';
import { migrate } from '../kit/database/migrate.ts';
import {
  openDatabase,
  afterCommit,
  writeWithCommit,
  type Database,
  type Reader,
  type Tx,
} from '../kit/database/open.ts';
import { inPages } from '../kit/database/pages.ts';
import { isStalePlan } from '../kit/database/refusals.ts';
import { dynamic, row, rows } from '../kit/database/sql.ts';
import { cloneDatabase, sql, type TestDatabase } from '../testing/infra.ts';
import { eventually } from '../testing/wait.ts';
import { nameOf } from '../kit/database/statement.ts';

const logger = createLogger('test', 'silent');
let clone: TestDatabase;
let database: Database;
let folder: string;

beforeAll(async () => {
  clone = await cloneDatabase('calls');
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(
    join(folder, '1799999999998-things.sql'),
    'create table thing (id int primary key, n bigint not null default 0);',
  );
  await writeFile(join(folder, '1799999999999-rows.sql'), 'insert into thing select generate_series(1, 2);');
  database = await openDatabase({ url: clone.url, name: 'test', pool: 5, logger });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
  await rm(folder, { recursive: true });
});

const migrations = () => pathToFileURL(`${folder}/`);

test('processes that migrate at the same time run each migration once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(clone.ownerUrl, migrations())));
  expect(runs.map((run) => run.length).sort()).toEqual([0, 0, 2]);
});

describe('a migration without a transaction', () => {
  const name = '1799999999997-index.sql';
  let own: string;
  let other: TestDatabase;

  const withFile = async (text: string) => {
    await writeFile(join(own, name), text);
    return pathToFileURL(`${own}/`);
  };
  const indexes = () =>
    sql(
      other.ownerUrl,
      `select relname as name, indisvalid as valid from pg_index join pg_class c on c.oid = indexrelid
       where relname like 'call_test%' order by 1`,
    );

  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), 'migrations-'));
    other = await cloneDatabase('calls');
  });
  afterAll(async () => {
    await other.drop();
    await rm(own, { recursive: true });
  });

  test('runs again from its start after a failure midway', async () => {
    const broken = await withFile(
      [
        '-- no transaction',
        '-- Finds calls by their length, without blocking other statements.',
        'drop index concurrently if exists call_test_length;',
        'create index concurrently call_test_length on call (total_duration);',
        'create unique index concurrently call_test_type on call (nothing);',
      ].join('\n'),
    );
    await expect(migrate(other.ownerUrl, broken)).rejects.toThrow('"nothing" does not exist');
    expect(await indexes()).toEqual([{ name: 'call_test_length', valid: true }]);
    const mended = await withFile(
      [
        '-- no transaction',
        'drop index concurrently if exists call_test_length;',
        'create index concurrently call_test_length on call (total_duration);',
        '',
      ].join('\n'),
    );
    // Migrations that wait for the lock block no index build.
    const runs = await Promise.all([1, 2, 3].map(() => migrate(other.ownerUrl, mended)));
    expect(runs.flat()).toEqual(['index1799999999997']);
    expect(await indexes()).toEqual([{ name: 'call_test_length', valid: true }]);
  });

  test('cannot contain function bodies', async () => {
    const folder = await withFile('-- no transaction\ndo $$ begin end $$;\n');
    await expect(migrate(other.ownerUrl, folder)).rejects.toThrow('must not contain $-quoted text');
  });
});

test('a database or password that PostgreSQL rejects is reported in one line', async () => {
  const url = clone.url.replace(/[^/]+$/, 'nowhere');
  await expect(openDatabase({ url, name: 'test', pool: 1, logger })).rejects.toThrow(
    /^DATABASE_URL: PostgreSQL refuses it: database "nowhere" does not exist$/,
  );
});

test("the service's role can change neither the schema nor the clock", async () => {
  await expect(rows(database.manager, 'drop table thing')).rejects.toThrow('must be owner');
  await expect(rows(database.manager, `insert into app_clock (shift) values ('1 day')`)).rejects.toThrow(
    'permission denied',
  );
});

test('prepared statements keep working after a migration that changes their result type', async () => {
  const owner = await openDatabase({ url: clone.ownerUrl, name: 'test', pool: 4, logger });
  const all = (reader: Reader) => rows<object>(reader, 'select * from wide');
  const everywhere = () =>
    Promise.all([
      ...[1, 2, 3, 4].map(() => owner.transact(all)),
      ...[1, 2, 3, 4].map(() => all(owner.manager)),
      ...[1, 2, 3, 4].map(() => owner.autocommit(all)),
    ]);
  await sql(clone.ownerUrl, 'create table wide as select 1 as a');
  for (const found of await everywhere()) expect(found).toEqual([{ a: 1 }]);
  await sql(clone.ownerUrl, 'alter table wide add column b int');
  for (const found of await everywhere()) expect(found).toEqual([{ a: 1, b: null }]);
  await owner.close();
  // The message of a server with French messages.
  const said = { code: '0A000', message: 'le plan en cache ne doit pas modifier le type en résultat' };
  expect([isStalePlan({ ...said, routine: 'RevalidateCachedQuery' }), isStalePlan(said)]).toEqual([true, false]);
});

test('a statement is prepared under a name made from its text, unless it is dynamic or has a parameter as limit', async () => {
  const statements = ['select 1 as one', dynamic('select 2 as two'), 'select 3 as three limit $1'];
  await database.transact(async (tx) => {
    for (const statement of statements)
      for (let times = 0; times < 2; times += 1)
        expect(await rows(tx, statement, statement === statements[2] ? [1] : [])).toHaveLength(1);
    const named = `select name from pg_prepared_statements where statement ~ '^select \\d as'`;
    expect(await rows(tx, dynamic(named))).toEqual([{ name: expect.stringMatching(/^select_1_as_one_[0-9a-f]{16}$/) }]);
  });
});

test('a transaction is retried as a whole after a deadlock', async () => {
  let arrived = 0;
  let attempts = 0;
  const finished = Promise.withResolvers<void>();
  const both = async (first: number, second: number) => {
    const work = async (tx: Tx) => {
      attempts += 1;
      // The server finds the deadlock a second after the later one has begun to wait, however late that is.
      await rows(tx, 'set local lock_timeout = 0');
      await rows(tx, 'set local idle_in_transaction_session_timeout = 0');
      // The retry waits for the other transaction, so that the two cannot deadlock again.
      if (attempts > 2) await finished.promise;
      await rows(tx, 'update thing set n = n + 1 where id = $1', [first]);
      arrived += 1;
      await eventually('the other side', () => arrived >= 2);
      await rows(tx, 'update thing set n = n + 1 where id = $1', [second]);
    };
    await database.transact(work, { statementMs: 300_000 });
    finished.resolve();
  };
  await Promise.all([both(1, 2), both(2, 1)]);
  expect(await rows(database.manager, 'select n from thing order by id')).toEqual([{ n: 2 }, { n: 2 }]);
  expect(attempts).toBe(3);
});

test('a transaction that ignores a failed statement is rolled back and fails', async () => {
  const going = database.transact(async (tx) => {
    await rows(tx, 'insert into thing (id) values (10)');
    await rows(tx, 'insert into thing (id) values (10)').catch(() => undefined);
  });
  await expect(going).rejects.toThrow('rolled back');
  expect(await rows(database.manager, 'select id from thing where id = 10')).toEqual([]);
  expect(database.pool).toMatchObject({ waitingCount: 0, totalCount: database.pool.idleCount });
});

test('a copy is inserted and updated, unless a newer version is stored', async () => {
  const save = `${upsertNewerSql('setting_copy', ['name'], ['version', 'name', 'value'])} returning value`;
  const saved = async (version: number, value: number) =>
    (await rows(database.manager, save, [JSON.stringify([{ version, name: 'x', value }])])).length === 1;
  const versions = [await saved(2, 20), await saved(1, 10), await saved(2, 21), await saved(3, 30)];
  expect(versions).toEqual([true, false, true, true]);
  expect(await rows(database.manager, 'select * from setting_copy')).toEqual([{ name: 'x', value: 30, version: 3 }]);
});

test('a session uses a generic plan for a prepared statement with arrays of any length', async () => {
  const statement =
    'select 1 from unnest($1::int[]) as w (n) cross join lateral (select from pg_class where relpages = w.n offset 0) c';
  await database.transact(async (tx) => {
    for (let pages = 0; pages < 10; pages += 1) await rows(tx, statement, [[pages]]);
    const plans = 'select custom_plans, generic_plans from pg_prepared_statements where name = $1';
    expect(await row(tx, plans, [nameOf(statement.replace('$1::int[]', '(select $1::int[])::int[]'))])).toEqual({
      custom_plans: 5,
      generic_plans: 5,
    });
  });
});

describe('writes with the COMMIT', () => {
  const setTo = 'update thing set n = $2 where id = $1';
  const double = 'update thing set n = n * 2 where id = $1 returning n';
  const insert = 'insert into thing (id, n) values ($1, 1)';
  const read = (manager: Reader) => row<{ n: number }>(manager, 'select n from thing where id = 1');

  test('are sent with the COMMIT, after all earlier statements', async () => {
    const doubled = await database.transact(async (tx) => {
      const written = writeWithCommit(tx, double, [1]);
      await rows(tx, setTo, [1, 5]);
      expect(await read(tx)).toEqual({ n: 5 });
      void rows(tx, setTo, [1, 7]);
      return { written };
    });
    expect(await doubled.written).toEqual([{ n: 14 }]);
    expect(await read(database.manager)).toEqual({ n: 14 });
  });

  test('roll back the whole transaction when one of them fails', async () => {
    const failing = database.transact(async (tx) => {
      await rows(tx, setTo, [1, 1]);
      for (const statement of [double, insert, double]) void writeWithCommit(tx, statement, [1]);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505', constraint: 'thing_pkey' });
    expect(await read(database.manager)).toEqual({ n: 14 });
    expect(database.pool).toMatchObject({ waitingCount: 0, totalCount: database.pool.idleCount });
  });

  test('need a transaction', async () => {
    const outside = database.autocommit(async (tx) => await writeWithCommit(tx, double, [1]));
    await expect(outside).rejects.toThrow('needs a transaction');
  });
});

test('a hint is called after the commit, and not after a rollback', async () => {
  const called: string[] = [];
  await database.transact(async (tx) => {
    afterCommit(tx, () => called.push('committed'));
    await row(tx, 'select 1 as one');
    expect(called).toEqual([]);
  });
  const failing = database.transact(async (tx) => {
    afterCommit(tx, () => called.push('rolled back'));
    await row(tx, 'select 1 / 0 as none');
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(called).toEqual(['committed']);
});

test('sessions have a statement timeout, a lock timeout and UTC', async () => {
  const settings = await row(
    database.manager,
    `select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l, current_setting('TimeZone') as z`,
  );
  expect(settings).toEqual({ s: '5s', l: '2s', z: 'UTC' });
});

test.each([0, 1, 499, 500, 501, 1_000, 1_001])(
  '%i rows are read in pages, each row once and in order',
  async (count) => {
    const series = `select n from generate_series(1, ${count}) n where n > $1 order by n limit $2`;
    const seen = [];
    for await (const { n } of inPages<{ n: number }>(database.manager, series, 'n', 0)) seen.push(n);
    expect(seen).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  },
);

test('rows() returns RETURNING rows for every kind of statement', async () => {
  expect(await rows(database.manager, 'insert into thing values (9) returning id')).toEqual([{ id: 9 }]);
  expect(await rows(database.manager, 'update thing set n = 5 where id = 9 returning n')).toEqual([{ n: 5 }]);
  expect(await rows(database.manager, 'delete from thing where id = 9 returning id')).toEqual([{ id: 9 }]);
  expect(await rows(database.manager, 'delete from thing where id = 9 returning id')).toEqual([]);
});

test.each([
  ['2026-11-20 21:04:06.593904+00', '2026-11-20T21:04:06.593904Z'],
  ['2026-11-20 21:04:06.5+00', '2026-11-20T21:04:06.500000Z'],
  ['2026-11-20 21:04:06+00', '2026-11-20T21:04:06.000000Z'],
])('the timestamp %s is read as %s', (given, expected) => {
  expect(isoMicroseconds(given)).toBe(expected);
});

test('reading an integer that JavaScript cannot represent throws', () => {
  expect(safeInteger('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => safeInteger('9007199254740993')).toThrow(RangeError);
});
