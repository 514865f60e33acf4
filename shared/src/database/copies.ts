import type { Logger } from '../process/logger.ts';
import type { Database, Reader, Tx } from './open.ts';

/**
 * SQL that stores another service's rows, with different keys: the one parameter is their JSON, objects with these
 * columns. A newer version that is stored stays: then no row is inserted or updated, and `returning`, where it follows,
 * returns none.
 */
export const saveNewerSet = <Column extends string>(
  table: string,
  key: readonly NoInfer<Column>[],
  columns: readonly (Column | 'version')[],
): string => `
    insert into ${table} (${columns.join(', ')})
    select ${columns.join(', ')} from jsonb_populate_recordset(null::${table}, $1::jsonb)
    on conflict (${key.join(', ')}) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}
    where excluded.version >= ${table}.version`;

/** Questions to the owner at the same time: a page of strangers must not flood it. */
const AT_ONCE = 20;

const lacking = (ids: number[], found: Map<number, unknown>) => [...new Set(ids)].filter((id) => !found.has(id));

/**
 * Copies of another service's nouns, which its events keep current. Those that are missing are asked of the owner and
 * saved. `ask` returns undefined for what the owner does not know.
 */
export function createCopies<Noun, Copy extends { id: number }>(deps: {
  database: Database;
  logger: Logger;
  find(reader: Reader, ids: number[]): Promise<Copy[]>;
  ask(id: number): Promise<Noun | undefined>;
  save(tx: Tx, nouns: Noun[]): Promise<unknown>;
}) {
  const { database, logger } = deps;

  const stored = async (ids: number[], reader: Reader = database.manager) =>
    new Map((await deps.find(reader, ids)).map((copy) => [copy.id, copy]));

  /** What the owner answers, and the errors of the questions that it does not answer. */
  async function askAll(ids: number[]): Promise<{ nouns: Noun[]; failures: Error[] }> {
    const answers = await Promise.allSettled(ids.map(deps.ask));
    return {
      nouns: answers.flatMap((answer) => (answer.status === 'fulfilled' ? (answer.value ?? []) : [])),
      failures: answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : [])),
    };
  }

  return {
    /** By id, without those that nobody knows. Throws what `ask` throws. */
    async find(ids: number[], tx?: Tx): Promise<Map<number, Copy>> {
      const found = await stored(ids, tx);
      const missing = lacking(ids, found).toSorted((one, other) => one - other);
      const answered: Noun[] = [];
      for (let from = 0; from < missing.length; from += AT_ONCE) {
        const { nouns, failures } = await askAll(missing.slice(from, from + AT_ONCE));
        if (failures[0]) throw failures[0];
        answered.push(...nouns);
      }
      if (answered.length === 0) return found;
      await (tx ? deps.save(tx, answered) : database.autocommit((own) => deps.save(own, answered)));
      return stored(ids, tx);
    },

    /** By id, without those that nobody knows now: a list is shown without them rather than not at all. */
    async findSome(ids: number[]): Promise<Map<number, Copy>> {
      const found = await stored(ids);
      const { nouns, failures } = await askAll(lacking(ids, found).slice(0, AT_ONCE));
      for (const err of failures) logger.warn({ err }, 'a copy could not be read through');
      if (nouns.length === 0) return found;
      await database.autocommit((tx) => deps.save(tx, nouns));
      return stored(ids);
    },
  };
}
