import type pg from 'pg';
import { DataSource } from 'typeorm';
import { ConfigError } from '../process/config.ts';
import { CONNECT_MS, STATEMENT_MS } from '../process/deadlines.ts';
import { createOutage, refusalIn, type Logger, type Outage } from '../process/logger.ts';
import { columnTypes, KEEP_ALIVE, watchedClients, type WatchedClient } from './connection.ts';
import { isRetryable, isStalePlan, isUnavailable } from './refusals.ts';
import { SESSION_OPTIONS, verifySession } from './session.ts';
import { prepared, type Prepared, type Reader, type Statement, type Tx } from './sql.ts';

export type { Reader, Tx };

/** A statement that pg can always send: one that never left would not stop the COMMIT behind it. */
type Sendable = string | number | null;

/**
 * A last write of `tx`: it is sent together with the COMMIT, and the transaction fails when it fails. Nothing in `tx` may
 * wait for it: its rows are there when `tx` has committed, and never otherwise.
 */
export function writeWithCommit<Row extends object>(
  tx: Tx,
  statement: Prepared,
  parameters: (Sendable | Sendable[])[],
): Promise<Row[]> {
  const { lastWrites } = endOf(tx);
  return new Promise((resolve) => {
    lastWrites.push({ statement, parameters, done: resolve as (rows: object[]) => void });
  });
}

/** Calls `hint` when `tx` has committed, and not when it is rolled back. Only for what may be lost with the process. */
export function afterCommit(tx: Tx, hint: () => void): void {
  endOf(tx).hints.push(hint);
}

function endOf(tx: Tx): NonNullable<Tx['commit']> {
  if (!tx.commit) throw new Error('the end of a transaction needs a transaction');
  return tx.commit;
}

/**
 * Throws when PostgreSQL has rolled back instead: the error of the first failed last write, or that a statement failed
 * whose error `work` has caught.
 */
async function commit(tx: Tx, client: pg.ClientBase): Promise<void> {
  const { lastWrites } = endOf(tx);
  const writes = lastWrites.map(({ statement, parameters }) => prepared<object>(tx, statement, parameters));
  const committing = client.query('COMMIT');
  const outcomes = await Promise.allSettled([...writes, committing]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  // The reply to a COMMIT after a failed statement is ROLLBACK, and no error.
  if ((await committing).command !== 'COMMIT') throw new Error('rolled back: a statement of the transaction failed');
  for (const [index, { done }] of lastWrites.entries()) done(await writes[index]!);
}

/** What a standby can answer as well. */
export interface ReadOnly {
  /** For reads outside a transaction. */
  manager: Reader;
  /**
   * Runs `work` in one READ COMMITTED transaction; after a deadlock or serialisation failure it runs again from the
   * start, at most three times, so `work` must not touch anything but the database. `statementMs`: the longest time of
   * one of its statements, instead of 5 seconds.
   */
  transact<T>(work: (tx: Tx) => Promise<T>, options?: { statementMs: number }): Promise<T>;
}

interface DatabaseOptions {
  url: string;
  name: string;
  pool: number;
  /** What stands between: a transaction pooler keeps neither start-up parameters nor prepared statements. */
  pooler?: 'none' | 'transaction';
  logger: Logger;
  /** One for all pools of a process. */
  outage?: Outage;
}

const MAX_ATTEMPTS = 3;
const CONNECT_AGAIN_MS = 1_000;

/** A stale plan is no attempt: its connection is closed, and a new one has none. */
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

/**
 * Waits for a server that cannot be reached. Throws ConfigError when it does not take the password, role or database:
 * that does not pass by itself.
 */
async function untilReached<T>(connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal) throw new ConfigError(`DATABASE_URL: PostgreSQL refuses it: ${refusal.message}`);
      if (!isUnavailable(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, CONNECT_AGAIN_MS));
    }
  }
}

const poolOf = (source: DataSource) => (source.driver as unknown as { master: pg.Pool }).master;

/** Rows of a statement. Behind a pooler the next one may go to another session: it keeps no plan then. */
async function ask(client: pg.ClientBase, { text, values, name }: Statement, isDirect: boolean): Promise<object[]> {
  const keepsPlan = name !== undefined && isDirect;
  return (await client.query<object>(keepsPlan ? { text, values, name } : { text, values })).rows;
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

/** Connects a pool whose sessions have the time-outs and use UTC. Throws when they do not. */
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
      // An idle one; whether the server is away is told when the next one is made.
      poolErrorHandler: (error: unknown) => options.logger.debug({ err: error }, 'database connection lost'),
      logging: false,
      synchronize: false,
      // Statements that are sent without waiting for the previous reply (Promise.all in a transaction) share one round
      // trip.
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
  const listeners: ((lanes: ReadonlySet<string>) => void)[] = [];
  const announce = (lanes: ReadonlySet<string>) => listeners.forEach((listener) => listener(lanes));

  const pool = poolOf(source);
  const manager = readerOf(pool, isDirect);

  async function attempt<T>(work: (tx: Tx) => Promise<T>, statementMs: number): Promise<T> {
    const client = (await pool.connect()) as pg.PoolClient & WatchedClient;
    let [isOver, isStale] = [false, false];
    const tx = {
      commit: { published: new Set<string>(), lastWrites: [], hints: [] },
      send: (statement: Statement) =>
        isOver ? Promise.reject(new Error('the transaction is over')) : ask(client, statement, isDirect),
    } as unknown as Tx;
    client.statementMs = statementMs;
    try {
      // Sent with the first statement: nothing can come between the two on our own connection.
      client.query('START TRANSACTION').catch(() => undefined);
      if (statementMs !== STATEMENT_MS) await client.query(`set local statement_timeout = ${statementMs}`);
      const result = await work(tx);
      await commit(tx, client);
      const { published, hints } = endOf(tx);
      for (const hint of hints) hint();
      if (published.size > 0) announce(published);
      return result;
    } catch (error) {
      isStale = isStalePlan(error);
      await client.query('ROLLBACK').catch(() => undefined);
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
    /** For lists, statistics and exports: a standby where there is one, and as new as `manager` in any case. */
    standby: primary,
    /**
     * Each statement of `work` is a transaction of its own, in one round trip, with the same retries; `publish` throws.
     * `publishes`: the streams for which its SQL writes to the outbox.
     */
    autocommit: async <T>(work: (tx: Tx) => Promise<T>, { publishes } = { publishes: [] as string[] }): Promise<T> => {
      const result = await work(manager as Tx);
      if (publishes.length > 0) announce(new Set(publishes));
      return result;
    },
    /** Called after every commit that wrote to the outbox, with the streams for which it did. */
    onPublished: (listener: (lanes: ReadonlySet<string>) => void) => void listeners.push(listener),
    /** Its connections: open, idle, and requests that wait for one. */
    pool: pool as Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
    /** Closes the connections that do nothing: what comes next is asked on new ones. */
    dropIdle: () => clients.dropIdle(),
    close: () => source.destroy(),
  };
}

export type Database = Awaited<ReturnType<typeof openDatabase>>;
