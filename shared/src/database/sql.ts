import { QueryRunnerAlreadyReleasedError, type EntityManager, type QueryRunner } from 'typeorm';
import { SpanKind, traced } from '../process/tracing.ts';
import type { WatchedClient } from './connection.ts';

/** Queries on the connection of the transaction, or on one of the pool. */
async function ask<Row>(
  manager: EntityManager,
  sql: string,
  question: (runner: QueryRunner) => Promise<Row[]>,
): Promise<Row[]> {
  const runner = manager.queryRunner ?? manager.dataSource.createQueryRunner();
  // Its connection may belong to another transaction by now.
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  try {
    const attributes = { 'db.query.text': sql };
    return await traced('sql', { kind: SpanKind.CLIENT, attributes }, () => question(runner));
  } finally {
    if (runner !== manager.queryRunner) await runner.release();
  }
}

/** Rows of a statement, RETURNING included. */
export const rows = <Row>(manager: EntityManager, sql: string, parameters: unknown[] = []): Promise<Row[]> =>
  ask(manager, sql, async (runner) => (await runner.query(sql, parameters, true)).records as Row[]);

/** The first row, if any. */
export async function row<Row>(
  manager: EntityManager,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(manager, sql, parameters))[0];
}

/** `column = $n`, from `$first` on, for each column of `changes` that is not undefined, and the values. */
export function assignments(changes: object, first: number): { sets: string[]; values: unknown[] } {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = given.map(([column], index) => `${column} = $${first + index}`);
  return { sets, values: given.map(([, value]) => value as unknown) };
}

/** Largest number of rows that one statement removes: far below what fits into the statement's time. */
const SWEEP_ROWS = 2_000;

/**
 * Removes at most `limit` rows that match `where`, the oldest by `age` first; skips locked ones. Returns true when
 * there may be more. `age` needs an index: its order stops the planner from reading the whole table.
 */
export async function sweep(
  manager: EntityManager,
  { table, where, age, limit = SWEEP_ROWS }: { table: string; where: string; age: string; limit?: number },
): Promise<boolean> {
  const swept = await rows(
    manager,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${where} order by ${age} limit $1 for update skip locked))
     returning 1`,
    [limit],
  );
  return swept.length === limit;
}

/**
 * A statement that each session parses and plans once, under `name`. The text must be the same at every use of the
 * name.
 */
export interface Prepared {
  name: string;
  sql: string;
}

/** Where `transact` keeps its connection. */
export const CLIENT = 'client';

/**
 * Rows of a statement of a hot path whose planning costs more than its execution. In a transaction it is sent before
 * this returns, so that statements run in the order of the calls.
 */
export const prepared = <Row>(
  manager: EntityManager,
  { name, sql }: Prepared,
  parameters: unknown[] = [],
): Promise<Row[]> =>
  ask(manager, sql, async (runner) => {
    const client = (runner.data[CLIENT] ?? (await runner.connect())) as WatchedClient;
    const query = { text: sql, values: parameters };
    return (await client.query(client.ownsSession ? { name, ...query } : query)).rows as Row[];
  });
