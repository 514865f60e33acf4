import type { EntityManager } from 'typeorm';
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
