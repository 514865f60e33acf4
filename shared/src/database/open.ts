import type pg from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { ConfigError } from '../process/config.ts';
import { CONNECT_MS, STATEMENT_MS } from '../process/deadlines.ts';
import type { Logger } from '../process/logger.ts';
import { columnTypes } from './column-types.ts';
import { KEEP_ALIVE, watchedClients, type WatchedClient } from './connection.ts';
import { isRetryable } from './refusals.ts';
import { SESSION_OPTIONS, verifySession } from './session.ts';
import { CLIENT, prepared, type Prepared } from './sql.ts';

/** What a read takes: the plain connection, or a transaction. */
export type Reader = EntityManager;

declare const transaction: unique symbol;

/** For writes and publishing: a transaction. Only `transact` and `autocommit` make one. */
export type Tx = Reader & { readonly [transaction]: true };

/** A statement that pg can always send: one that never left would not stop the COMMIT behind it. */
type Sendable = string | number | null;

/**
 * A last write of `tx`: it is sent together with the COMMIT, and the transaction fails when it fails. Nothing waits for
 * it, so nothing in `tx` may depend on its effect.
 */
export function writeWithCommit(tx: Tx, statement: Prepared, parameters: (Sendable | Sendable[])[]): void {
  kept<[Prepared, unknown[]]>(tx.queryRunner, 'lastWrites').push([statement, parameters]);
}

/** Calls `hint` when `tx` has committed, and not when it is rolled back. Only for what may be lost with the process. */
export function afterCommit(tx: Tx, hint: () => void): void {
  kept<() => void>(tx.queryRunner, 'hints').push(hint);
}

/** What is kept for the end of a transaction. */
function kept<Item>(runner: QueryRunner | undefined, list: 'lastWrites' | 'hints'): Item[] {
  if (!runner?.isTransactionActive) throw new Error('the end of a transaction needs a transaction');
  return (runner.data[list] ??= []) as Item[];
}

/**
 * Throws when PostgreSQL has rolled back instead: the error of the first failed last write, or that a statement failed
 * whose error `work` has caught.
 */
async function commit(runner: QueryRunner, client: pg.Client): Promise<void> {
  const writes = kept<[Prepared, unknown[]]>(runner, 'lastWrites').map(([statement, parameters]) =>
    prepared(runner.manager, statement, parameters),
  );
  const committing = client.query('COMMIT');
  const outcomes = await Promise.allSettled([...writes, committing]);
  Object.assign(runner, { isTransactionActive: false, transactionDepth: 0 });
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  // The reply to a COMMIT after a failed statement is ROLLBACK, and no error.
  if ((await committing).command !== 'COMMIT') throw new Error('rolled back: a statement of the transaction failed');
}

export interface Database {
  source: DataSource;
  /** For reads outside a transaction. */
  manager: Reader;
  /**
   * Runs `work` in one READ COMMITTED transaction; after a deadlock or serialisation failure it runs again from the
   * start, at most three times, so `work` must not touch anything but the database. `statementMs`: the longest time of
   * one of its statements, instead of 5 seconds.
   */
  transact<T>(work: (tx: Tx) => Promise<T>, options?: { statementMs: number }): Promise<T>;
  /**
   * Each statement of `work` is a transaction of its own, in one round trip, with the same retries; `publish` throws.
   * `publishes`: the streams for which its SQL writes to the outbox.
   */
  autocommit<T>(work: (tx: Tx) => Promise<T>, options?: { publishes: string[] }): Promise<T>;
  /** Called after every commit that wrote to the outbox, with the streams for which it did. */
  onPublished(listener: (lanes: ReadonlySet<string>) => void): void;
  /** Connections of the pool: open, idle, and requests that wait for one. */
  pool: { totalCount: number; idleCount: number; waitingCount: number };
  /** Closes the connections that do nothing: what comes next is asked on new ones. */
  dropIdle(): void;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  name: string;
  pool: number;
  /** What stands between: a transaction pooler keeps neither start-up parameters nor prepared statements. */
  pooler?: 'none' | 'transaction';
  logger: Logger;
}

const MAX_ATTEMPTS = 3;

/** Of what will not pass by itself: a password, role or database that the server does not take. */
const REFUSED = ['28P01', '28000', '3D000'];

const refused = (error: unknown) => {
  const causes = [error, error instanceof Error && error.cause] as { code?: string; message: string }[];
  const why = causes.find(({ code }) => REFUSED.includes(code ?? ''));
  return why ? new ConfigError(`DATABASE_URL: PostgreSQL refuses it: ${why.message}`) : (error as Error);
};

/** Connects a pool whose sessions have the time-outs and use UTC. Throws when they do not. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const isDirect = options.pooler !== 'transaction';
  const clients = watchedClients(STATEMENT_MS, isDirect);
  const source = new DataSource({
    type: 'postgres',
    url: options.url,
    applicationName: options.name,
    poolSize: options.pool,
    connectTimeoutMS: CONNECT_MS,
    poolErrorHandler: (error: unknown) => options.logger.warn({ err: error }, 'database connection lost'),
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
  await source.initialize().catch((error: unknown) => Promise.reject(refused(error)));
  await verifySession(source);
  const listeners: ((lanes: ReadonlySet<string>) => void)[] = [];
  const announce = (lanes: ReadonlySet<string>) => listeners.forEach((listener) => listener(lanes));

  async function attempt<T>(work: (tx: Tx) => Promise<T>, statementMs: number): Promise<T> {
    const runner = source.createQueryRunner();
    let client: WatchedClient | undefined;
    try {
      client = (await runner.connect()) as WatchedClient;
      client.statementMs = statementMs;
      runner.data[CLIENT] = client;
      // Sent with the first statement: nothing can come between the two on our own connection.
      const begun = client.query('START TRANSACTION');
      begun.catch(() => undefined);
      Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
      if (statementMs !== STATEMENT_MS) await runner.query(`set local statement_timeout = ${statementMs}`);
      const result = await work(runner.manager as Tx);
      await commit(runner, client);
      for (const hint of (runner.data['hints'] ?? []) as (() => void)[]) hint();
      const published = runner.data['published'] as Set<string> | undefined;
      if (published) announce(published);
      return result;
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      if (client) client.statementMs = STATEMENT_MS;
      await runner.release().catch(() => undefined);
    }
  }

  async function retrying<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  return {
    source,
    manager: source.manager,
    transact: (work, { statementMs } = { statementMs: STATEMENT_MS }) => retrying(() => attempt(work, statementMs)),
    autocommit: async (work, { publishes } = { publishes: [] }) => {
      const result = await retrying(() => work(source.manager as Tx));
      if (publishes.length > 0) announce(new Set(publishes));
      return result;
    },
    onPublished: (listener) => void listeners.push(listener),
    pool: (source.driver as unknown as { master: pg.Pool }).master,
    dropIdle: () => clients.dropIdle(),
    ping: async () => void (await source.query('select 1')),
    close: () => source.destroy(),
  };
}
