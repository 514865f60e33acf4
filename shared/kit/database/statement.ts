import { createHash } from 'node:crypto';

/** SQL whose text depends on its input, such as the filters of a list: it is never prepared. */
export interface Dynamic {
  readonly dynamic: string;
}

/** The text of a statement. The text of a string must not vary with its input: it is prepared once per connection. */
export type Sql = string | Dynamic;

/** Marks SQL whose text depends on its input, so that the texts of a process are not limited. */
export const dynamic = (text: string): Dynamic => ({ dynamic: text });

export const textOf = (sql: Sql): string => (typeof sql === 'string' ? sql : sql.dynamic);

/** A statement for pg; with a name it is prepared. */
export interface Prepared {
  text: string;
  name?: string;
}

/**
 * Most prepared statements of a process, and so of a connection: a mark that is missing somewhere must not fill the
 * memory of the server. The services have about 150 each.
 */
const MAX_PREPARED = 1_000;
const READABLE_LENGTH = 40;

const forms = new Map<string, Prepared>();

/** The start of the text, and a hash of all of it; PostgreSQL truncates names at 63 bytes. */
export function nameOf(text: string): string {
  const start = text.trim().replace(/\W+/g, '_').slice(0, READABLE_LENGTH);
  return `${start}_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/**
 * With `limit $1` the planner expects a tenth of the table, so a generic plan would be a bad one. For short arrays the
 * planner would prefer a custom plan and plan the statement at each execution, which takes longer than running it; so
 * the length of array parameters with a cast (`$1::bigint[]`) is hidden from it.
 */
function formOf(sql: string): Prepared {
  if (/\blimit \$\d/.test(sql)) return { text: sql };
  const text = sql.replace(/\$\d+::(\w+\[\])/g, '(select $&)::$1');
  return { text, name: nameOf(text) };
}

/** How pg runs a statement: prepared under a name made from its text, unless it is dynamic or has `limit $1`. */
export function prepare(sql: Sql): Prepared {
  if (typeof sql !== 'string') return { text: sql.dynamic };
  const known = forms.get(sql);
  if (known) return known;
  if (forms.size >= MAX_PREPARED) return { text: sql };
  const form = formOf(sql);
  forms.set(sql, form);
  return form;
}
