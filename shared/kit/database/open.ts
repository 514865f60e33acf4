import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { ConfigError } from '../process/config.ts';
import { CONNECT_MS, STATEMENT_MS } from '../process/deadlines.ts';
import { createOutage, findRefusal, type Logger, type Outage } from '../process/logger.ts';
import { columnTypes, KEEP_ALIVE, watchedClients, type WatchedClient } from './connection.ts';
import { isRetryable, isStalePlan, isUnavailable } from './refusals.ts';
import { SESSION_OPTIONS, verifySession } from './session.ts';
import { rows, type Reader, type Sql, type Statement, type Tx } from './sql.ts';
import { prepare, textOf } from './statement.ts';

export type { Reader, Tx };

/** Parameters that pg can always serialize: a statement that is never sent would not stop the COMMIT after it. */
type Sendable = string | number | null;

/**
 * Sends a write together with the COMMIT of `tx`; if it fails, the transaction fails. The promise resolves only after
 * the commit, so do not await it inside the transaction.
 */
export function writeWithCommit<Row extends object>(
  tx: Tx,
  sql: Sql,
  parameters: (Sendable | Sendable[])[],
): Promise<Row[]> {
  const { lastWrites } = endOf(tx);
  return new Promise((resolve) => {
    lastWrites.push({ sql, parameters, done: resolve as (rows: object[]) => void });
  });
}

/** Calls `hint` after `tx` has committed. The call is lost if the process dies, so use it only for hints. */
export function afterCommit(tx: Tx, hint: () => void): void {
  endOf(tx).hints.push(hint);
}

function endOf(tx: Tx): NonNullable<Tx['commit']> {
  if (!tx.commit) throw new Error('the end of a transaction needs a transaction');
  return tx.commit;
}

type Connection = pg.PoolClient & WatchedClient;

/** Does not wait for the answer, so that the statement shares the round trip of the next one. */
async function startTransaction(client: Connection, statementMs: number): Promise<void> {
  client.statementMs = statementMs;
  client.query('START TRANSACTION').catch(() => undefined);
  if (statementMs !== STATEMENT_MS) await client.query(`set local statement_timeout = ${statementMs}`);
}

/**
 * Sends the last writes and COMMIT in one round trip. Throws when PostgreSQL rolled back instead: the error of the first
 * failed last write, or an error that tells that `work` has swallowed the error of a statement.
 */
async function commitTransaction(client: Connection, tx: Tx): Promise<void> {
  const { lastWrites } = endOf(tx);
  const writes = lastWrites.map(({ sql, parameters }) => rows<object>(tx, sql, parameters));
  const committing = client.query('COMMIT');
  const outcomes = await Promise.allSettled([...writes, committing]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  // After a failed statement PostgreSQL answers COMMIT with ROLLBACK instead of an error.
  if ((await committing).command !== 'COMMIT') throw new Error('rolled back: a statement of the transaction failed');
  for (const [index, { done }] of lastWrites.entries()) done(await writes[index]!);
}

/** The part of a database that a standby offers too. */
export interface ReadOnly {
  /** For reads outside a transaction. */
  manager: Reader;
  /**
   * Runs `work` in a READ COMMITTED transaction. After a deadlock or serialization failure it is retried, up to three
   * attempts, so `work` must have no side effects outside the database. `statementMs`: statement timeout instead of 5
   * s.
   */
  transact<T>(work: (tx: Tx) => T | Promise<T>, options?: { statementMs: number }): Promise<T>;
}

interface DatabaseOptions {
  url: string;
  name: string;
  pool: number;
  /** A pooler in front of PostgreSQL. In transaction mode there are no start-up parameters or prepared statements. */
  pooler?: 'none' | 'transaction';
  logger: Logger;
  /** Shared by all pools of a process, which then log an outage once. */
  outage?: Outage;
}

const MAX_ATTEMPTS = 3;
const RECONNECT_MS = 1_000;

/** Retries failed transactions. A stale plan does not count as an attempt: its connection is closed. */
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ;) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
      if (!isStalePlan(error)) tries += 1;
    }
  }
}

/** Retries until the server is reachable. Throws ConfigError when the server rejects password, role or database. */
async function untilReached<T>(connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const refusal = findRefusal(error);
      if (refusal) throw new ConfigError(`DATABASE_URL: PostgreSQL refuses it: ${refusal.message}`);
      if (!isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  }
}

const poolOf = (source: DataSource) => (source.driver as PostgresDriver).master as pg.Pool;

/** Returns the rows of a statement. Behind a pooler it is not prepared: the next one may run in another session. */
async function ask(client: pg.ClientBase, { sql, values }: Statement, isDirect: boolean): Promise<object[]> {
  const form = isDirect ? prepare(sql) : { text: textOf(sql) };
  return (await client.query<object>({ ...form, values })).rows;
}

const readerOf = (pool: pg.Pool, isDirect: boolean): Reader => ({
  send: (statement) =>
    retrying(async () => {
      const client = await pool.connect();
      let isStale = false;
      return ask(client, statement, isDirect)
        .catch((error: unknown) => {
          isStale = isStalePlan(error);
          throw error;
        })
        .finally(() => client.release(isStale));
    }),
});

/** Fails without harm on a broken connection, whose transaction the server has rolled back. */
const rollbackTransaction = (client: Connection) => client.query('ROLLBACK').catch(() => undefined);

/** Opens a connection pool. Throws when its sessions do not have the required timeouts or do not use UTC. */
export async function openDatabase(options: DatabaseOptions) {
  const isDirect = options.pooler !== 'transaction';
  const { outage = createOutage(options.logger, { server: 'PostgreSQL' }) } = options;
  const clients = watchedClients(STATEMENT_MS, outage);
  const make = () =>
    new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.name,
      poolSize: options.pool,
      connectTimeoutMS: CONNECT_MS,
      // Only a debug line for an idle connection: if the server is away, the next connection attempt reports it.
      poolErrorHandler: (error: unknown) => options.logger.debug({ err: error }, 'database connection lost'),
      logging: false,
      synchronize: false,
      // Statements that do not wait for the previous reply (Promise.all in a transaction) share one round trip.
      extra: {
        ...(isDirect && { options: SESSION_OPTIONS }),
        Client: clients,
        pipeline: true,
        types: columnTypes,
        ...KEEP_ALIVE,
      },
    });
  const source = await untilReached(async () => {
    const made = await make().initialize();
    await verifySession(readerOf(poolOf(made), isDirect)).catch(async (error: unknown) => {
      await made.destroy();
      throw error;
    });
    return made;
  });
  const listeners: ((streams: ReadonlySet<string>) => void)[] = [];
  const announce = (streams: ReadonlySet<string>) => listeners.forEach((listener) => listener(streams));

  const pool = poolOf(source);
  const manager = readerOf(pool, isDirect);

  async function attempt<T>(work: (tx: Tx) => T | Promise<T>, statementMs: number): Promise<T> {
    const client = (await pool.connect()) as Connection;
    let [isOver, isStale] = [false, false];
    const tx = {
      commit: { published: new Set<string>(), lastWrites: [], hints: [] },
      send: (statement: Statement) =>
        isOver ? Promise.reject(new Error('the transaction is over')) : ask(client, statement, isDirect),
    } as unknown as Tx;
    try {
      await startTransaction(client, statementMs);
      const result = await work(tx);
      await commitTransaction(client, tx);
      const { published, hints } = endOf(tx);
      for (const hint of hints) hint();
      if (published.size > 0) announce(published);
      return result;
    } catch (error) {
      isStale = isStalePlan(error);
      await rollbackTransaction(client);
      throw error;
    } finally {
      isOver = true;
      client.statementMs = STATEMENT_MS;
      client.release(isStale);
    }
  }

  const primary: ReadOnly = {
    manager,
    transact: (work, { statementMs } = { statementMs: STATEMENT_MS }) => retrying(() => attempt(work, statementMs)),
  };
  return {
    ...primary,
    /**
     * For lists, statistics and exports: reads from the standby, if there is one. The data is as new as `manager`'s.
     */
    standby: primary,
    /**
     * Runs each statement of `work` as its own transaction, in one round trip and with the same retries. `publish`
     * throws here. `publishes`: the streams for which the SQL itself writes events to the outbox.
     */
    autocommit: async <T>(work: (tx: Tx) => Promise<T>, { publishes } = { publishes: [] as string[] }): Promise<T> => {
      const result = await work(manager as Tx);
      if (publishes.length > 0) announce(new Set(publishes));
      return result;
    },
    /** Calls `listener` after each commit that wrote to the outbox, with the streams of the events. */
    onPublished: (listener: (streams: ReadonlySet<string>) => void) => void listeners.push(listener),
    /** Numbers of open and idle connections, and of requests that wait for a connection. */
    pool: pool as Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
    /** Closes idle connections, so that the next statements use new ones. */
    dropIdle: () => clients.dropIdle(),
    close: () => source.destroy(),
  };
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;
