import type { Logger } from '../process/logger.ts';
import type { Database, Reader, Tx } from './open.ts';

/**
 * SQL that upserts copies of another service's rows. Its parameter is a JSON array of objects with these columns; their
 * keys must differ. A row is not updated, nor returned by an appended `returning`, if a newer version is stored.
 */
export const upsertNewerSql = <Column extends string>(
  table: string,
  key: readonly NoInfer<Column>[],
  columns: readonly (Column | 'version')[],
): string => `
    insert into ${table} (${columns.join(', ')})
    select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)
    on conflict (${key.join(', ')}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    where excluded.version >= ${table}.version`;

/** Concurrent requests to the owner, so that a page of unknown ids does not flood it. */
const MAX_REQUESTS = 20;

const lacking = (ids: number[], found: Map<number, unknown>) => [...new Set(ids)].filter((id) => !found.has(id));

/**
 * A read-through cache of another service's nouns, kept current by its events. Missing copies are requested from the
 * owner and saved. `ask` returns undefined for an unknown id.
 */
export function createCopyCache<Noun, Copy extends { id: number }>(options: {
  database: Database;
  logger: Logger;
  find(reader: Reader, ids: number[]): Promise<Copy[]>;
  ask(id: number): Promise<Noun | undefined>;
  save(tx: Tx, nouns: Noun[]): Promise<unknown>;
}) {
  const { database, logger } = options;

  const stored = async (ids: number[], reader: Reader = database.manager) =>
    new Map((await options.find(reader, ids)).map((copy) => [copy.id, copy]));

  /** Requests nouns from the owner; returns those that it knows, and the errors of failed requests. */
  async function askAll(ids: number[]): Promise<{ nouns: Noun[]; failures: Error[] }> {
    const answers = await Promise.allSettled(ids.map(options.ask));
    return {
      nouns: answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : [])),
      failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : [])),
    };
  }

  return {
    /** Copies by id, without unknown ids. Throws the errors of `ask`. */
    async find(ids: number[], tx?: Tx): Promise<Map<number, Copy>> {
      const found = await stored(ids, tx);
      const missing = lacking(ids, found).toSorted((one, other) => one - other);
      const answered: Noun[] = [];
      for (let from = 0; from < missing.length; from += MAX_REQUESTS) {
        const { nouns, failures } = await askAll(missing.slice(from, from + MAX_REQUESTS));
        if (failures[0]) throw failures[0];
        answered.push(...nouns);
      }
      if (answered.length === 0) return found;
      await (tx ? options.save(tx, answered) : database.autocommit((own) => options.save(own, answered)));
      return stored(ids, tx);
    },

    /**
     * Like `find`, but leaves out the ids that could not be requested: a list should not fail because of a few names.
     */
    async findSome(ids: number[]): Promise<Map<number, Copy>> {
      const found = await stored(ids);
      const { nouns, failures } = await askAll(lacking(ids, found).slice(0, MAX_REQUESTS));
      for (const err of failures)
        logger.warn({ err }, 'a missing copy could not be requested from its owner: the list is shown without it');
      if (nouns.length === 0) return found;
      await database.autocommit((tx) => options.save(tx, nouns));
      return stored(ids);
    },
  };
}
