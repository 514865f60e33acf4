import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase, type Database, type Tx } from '../kit/database/open.ts';
import { asDatabaseRefusal, isUnavailable } from '../kit/database/refusals.ts';
import { rows } from '../kit/database/sql.ts';
import { AppError } from '../kit/errors.ts';
import { ConfigError } from '../kit/process/config.ts';
import { createLogger } from '../kit/process/logger.ts';
import { migrate } from '../kit/database/migrate.ts';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { cloneDatabase, infra, sql, type TestDatabase } from '../testing/infra.ts';
import { eventually } from '../testing/wait.ts';

const POOL = 4;
const folder = new URL('../../services/calls/migrations/', import.meta.url);

let clone: TestDatabase;
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let database: Database;

const open = (url: string) => openDatabase({ url, name: 'test', pool: POOL, logger: createLogger('test', 'silent') });

beforeAll(async () => {
  clone = await cloneDatabase('calls');
  proxy = await startDatabaseProxy(infra().databaseUrl);
});
afterAll(async () => {
  await proxy.stop();
  await clone.drop();
});
beforeEach(async () => {
  database = await open(proxy.through(clone.url));
});
afterEach(() => database.close());

const ONE = 'select 1 as one';
const select = (tx: Tx) => rows(tx, 'select 1 as one');

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('it should have failed')),
    (error: unknown) => error,
  );

/** As many connections as the pool has, all idle. */
async function fillPool(): Promise<void> {
  const gate = Promise.withResolvers<void>();
  let arrived = 0;
  const one = () =>
    database.transact(async (tx) => {
      await select(tx);
      arrived += 1;
      if (arrived === POOL) gate.resolve();
      await gate.promise;
    });
  await Promise.all(Array.from({ length: POOL }, one));
  expect(database.pool.idleCount).toBe(POOL);
}

describe('a server that ends a new connection', () => {
  test('causes a 503 and does not end the process', async () => {
    const gate = Promise.withResolvers<void>();
    const busy = database.transact(() => gate.promise);
    proxy.sendAway(1);
    expect(isUnavailable(await failure(database.transact(select)))).toBe(true);
    expect(proxy.goodbyes).toBe(0);
    await expect(database.transact(select)).resolves.toEqual([{ one: 1 }]);
    gate.resolve();
    await busy;
  });

  // Only the second connection is at risk: the first one is released, and watched by the pool, in the same tick.
  test('delays the start of a service and fails a migration, but does not end the process', async () => {
    proxy.sendAway(2);
    await (await open(proxy.through(clone.url))).close();
    expect(proxy.goodbyes).toBe(0);
    proxy.sendAway(2);
    await failure(migrate(proxy.through(clone.ownerUrl), folder));
    expect(proxy.goodbyes).toBe(0);
    await expect(migrate(proxy.through(clone.ownerUrl), folder)).resolves.toEqual([]);
  });
});

describe('silent connections', () => {
  const ways: [string, () => Promise<unknown>][] = [
    ['a transaction', () => database.transact(select)],
    ['a prepared statement', () => rows(database.manager, ONE)],
  ];

  test.each(ways)('are all replaced after %s times out', async (_name, work) => {
    await fillPool();
    proxy.strand();
    expect(proxy.stranded).toBeGreaterThan(0);
    expect(isUnavailable(await failure(work()))).toBe(true);
    await work();
    await eventually('no silent connection is left', () => proxy.stranded === 0);
  });

  test('in the middle of a transaction are closed, so that waiting requests get new ones', async () => {
    const halves = Array.from({ length: POOL }, () => Promise.withResolvers<void>());
    const go = Promise.withResolvers<void>();
    const inside = halves.map((half) =>
      failure(
        database.transact(async (tx) => {
          await select(tx);
          half.resolve();
          await go.promise;
          await rows(tx, ONE);
        }),
      ),
    );
    await Promise.all(halves.map((half) => half.promise));
    proxy.strand();
    const waiting = failure(database.transact(select));
    go.resolve();
    for (const error of [...(await Promise.all(inside)), await waiting]) expect(isUnavailable(error)).toBe(true);
    await expect(database.transact(select)).resolves.toEqual([{ one: 1 }]);
  });

  test('are not confused with connections that run a long statement', async () => {
    const long = (tx: Tx) => rows(tx, `select current_setting('statement_timeout') as limit`);
    expect(await database.transact(long, { statementMs: 60_000 })).toEqual([{ limit: '1min' }]);
    expect(await database.transact(long)).toEqual([{ limit: '5s' }]);
  });
});

describe('a connection that breaks', () => {
  const write = (tx: Tx) => rows(tx, `insert into room_copy values (gen_random_uuid()) returning uuid`);
  const two = (tx: Tx) => write(tx).then(() => rows(tx, ONE));
  const moments = ['before', 'after', 'answered'] as const;
  const statements = [/START TRANSACTION/, /insert_into_room_copy/, /select_1_as_one/, /COMMIT/];
  const cases = statements.flatMap((statement) => moments.map((when) => [when, statement] as const));

  test.each(cases)('at the moment "%s" of %s is a 503, except when a COMMIT was answered', async (when, statement) => {
    proxy.arm(statement, when);
    const cuts = proxy.cuts;
    const outcome = await database.transact(two).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(proxy.cuts - cuts).toBe(1);
    // The reply to COMMIT arrived: that is a success.
    const isDone = when === 'answered' && String(statement) === '/COMMIT/';
    expect(asDatabaseRefusal(outcome)?.code).toBe(isDone ? undefined : 'unavailable');
    await eventually('the broken one has left the pool', () => database.pool.totalCount === 0);
    await expect(database.transact(two)).resolves.toEqual([{ one: 1 }]);
  });

  test('while it is idle in a transaction is a 503', async () => {
    const outcome = await failure(
      database.transact(async (tx) => {
        const [backend] = await rows<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
        await sql(infra().databaseUrl, 'select pg_terminate_backend($1)', [backend!.pid]);
        await eventually('the connection is gone', () =>
          rows(tx, 'select 1').then(
            () => false,
            () => true,
          ),
        );
        await rows(tx, 'select 1');
      }),
    );
    expect(asDatabaseRefusal(outcome)?.code).toBe('unavailable');
  });
});

describe('the error', () => {
  const code = (value: string) => Object.assign(new Error('x'), { code: value });

  const away: [string, unknown][] = [
    ...[
      '08000',
      '08001',
      '08003',
      '08006',
      '53100',
      '53200',
      '53300',
      '57P01',
      '57P02',
      '57P03',
      '57P04',
      '57P05',
      '57014',
      '55P03',
      '25006',
      '25P03',
      '25P04',
      '58030',
      'ECONNREFUSED',
      'ECONNRESET',
      'ECONNABORTED',
      'EPIPE',
      'EPROTO',
      'ETIMEDOUT',
      'EHOSTUNREACH',
      'EHOSTDOWN',
      'ENETUNREACH',
      'ENETDOWN',
      'ENETRESET',
      'ENOTCONN',
      'ENOTFOUND',
      'EAI_AGAIN',
      'EAI_FAIL',
      'EADDRNOTAVAIL',
      'EMFILE',
      'ENFILE',
      'ERR_SSL_WRONG_VERSION_NUMBER',
      'ERR_SOCKET_CONNECTION_TIMEOUT',
      'ERR_SOCKET_CLOSED',
      'ERR_STREAM_DESTROYED',
      'ERR_STREAM_WRITE_AFTER_END',
    ].map((value): [string, unknown] => [value, code(value)]),
    ...[
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'Cannot use a pool after calling end on the pool',
      'Received unexpected dataRow message from backend.',
      'received invalid response: 4a',
    ].map((message): [string, unknown] => [message, new Error(message)]),
  ];

  test.each(away)('%s is an outage', (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(asDatabaseRefusal(error)).toMatchObject({ code: 'unavailable', retryAfter: 1 });
  });

  test.each([
    ['40001', code('40001')],
    ['40P01', code('40P01')],
  ])('%s is a 503 and may be retried', (_name, error) => {
    expect(asDatabaseRefusal(error)?.code).toBe('unavailable');
  });

  test.each([
    ['a unique key', code('23505')],
    ['bad input', code('22P02')],
    ['a missing column', code('42703')],
    ['a bug', new TypeError('undefined is not a function')],
    ['a refusal', new AppError('conflict', 'no')],
    ['a string', 'ECONNRESET'],
    ['nothing', undefined],
  ])('of %s is no outage', (_name, error) => {
    expect(asDatabaseRefusal(error)).toBeUndefined();
  });

  test.each([
    ['a port that refuses', (url: URL) => (url.port = '1')],
    ['an unknown host', (url: URL) => (url.hostname = 'nowhere.invalid')],
  ])('of %s is an outage', async (_name, spoil) => {
    const url = new URL(clone.url);
    spoil(url);
    expect(isUnavailable(await failure(migrate(url.href, folder)))).toBe(true);
  });

  test.each([
    ['a wrong password', (url: URL) => (url.password = 'wrong')],
    ['a missing database', (url: URL) => (url.pathname = '/nothing')],
  ])('of %s is an error of the configuration', async (_name, spoil) => {
    const url = new URL(clone.url);
    spoil(url);
    await expect(open(url.href)).rejects.toThrow(ConfigError);
  });

  test('of a closed pool is an outage', async () => {
    const closed = await open(clone.url);
    await closed.close();
    for (const work of [closed.transact(select), rows(closed.manager, ONE)])
      expect(isUnavailable(await failure(work))).toBe(true);
  });
});
