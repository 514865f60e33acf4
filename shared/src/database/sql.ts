import type pg from 'pg';
import { QueryRunnerAlreadyReleasedError, type EntityManager } from 'typeorm';
import { SpanKind, traced } from '../tracing.ts';

/** Rows of a statement, RETURNING included (TypeORM answers a pair for UPDATE and DELETE; this does not). */
export async function rows<Row>(manager: EntityManager, sql: string, parameters: unknown[] = []): Promise<Row[]> {
  const result = await traced('sql', { kind: SpanKind.CLIENT, attributes: { 'db.query.text': sql } }, () =>
    manager.query<unknown>(sql, parameters),
  );
  if (!Array.isArray(result)) return [];
  return (Array.isArray(result[0]) && typeof result[1] === 'number' ? result[0] : result) as Row[];
}

/** The first row, if any. */
export async function row<Row>(
  manager: EntityManager,
  sql: string,
  parameters: unknown[] = [],
): Promise<Row | undefined> {
  return (await rows<Row>(manager, sql, parameters))[0];
}

/** Rows that one statement removes at most: far below what fits the statement's time. */
const SWEEP_ROWS = 2_000;

/**
 * Removes rows that `where` names, the oldest by `age` first, at most `limit`, leaving out locked ones. True when there may
 * be more. `age` needs an index: its order keeps the planner from reading the whole table.
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
 * Rows of a statement that each connection parses and plans once, under `name`: for the few statements of a hot path
 * whose planning costs more than they do. The text must be the same for every use of the name.
 */
export async function prepared<Row>(
  manager: EntityManager,
  statement: { name: string; sql: string },
  parameters: unknown[] = [],
): Promise<Row[]> {
  const runner = manager.queryRunner ?? manager.connection.createQueryRunner();
  // Its connection may be somebody else's by now.
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  try {
    const client = (await runner.connect()) as pg.PoolClient;
    const query = { name: statement.name, text: statement.sql, values: parameters };
    const attributes = { 'db.query.text': statement.sql };
    const result = await traced('sql', { kind: SpanKind.CLIENT, attributes }, () => client.query(query));
    return result.rows as Row[];
  } finally {
    if (runner !== manager.queryRunner) await runner.release();
  }
}
