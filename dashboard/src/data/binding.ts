import type { Identifier, RaRecord, SortPayload } from 'ra-core';
import type { paths } from '@tutoring/client/schema';
import { Refusal, type Client } from '../server/server.ts';

/* How a resource of the dashboard is read and written: one binding per resource, on paths of the typed client. */

export interface Query<Filter = Values> {
  page: number;
  perPage: number;
  sort: SortPayload;
  /** From the page's address, so unchecked: the server validates it. `q` is the search text. */
  filter: Filter & { q?: string };
}

export interface Rows<Row extends RaRecord = RaRecord> {
  data: Row[];
  total: number;
}

export type Values = Record<string, unknown>;

/** A submitted form: all values, and the changed values alone. The server validates them. */
export interface Edit<Body = Values> {
  values: Body;
  changes: Body;
}

/** How a resource is read and written. Each binding types its input as the body of its path. */
export interface Binding {
  list(client: Client, query: Query): Promise<Rows>;
  get?(client: Client, id: Identifier): Promise<RaRecord>;
  create?(client: Client, values: Values): Promise<RaRecord>;
  update?(client: Client, id: Identifier, edit: Edit): Promise<RaRecord>;
  remove?(client: Client, id: Identifier): Promise<unknown>;
}

/** The body of a path's POST or PUT. */
export type BodyOf<Path extends keyof paths, Method extends 'post' | 'put'> =
  paths[Path] extends Record<Method, { requestBody?: { content: { 'application/json': infer Body } } }> ? Body : never;

/**
 * The body of a POST to an `...all` path: page, size, order and filters of a query. These lists are always sorted by
 * id, which is chronological, whatever the sort field. The server ignores an unknown filter and answers 422 to an
 * invalid value.
 */
export function pageOf<Filter>({ page, perPage, sort, filter: { q, ...filters } }: Query<Filter>) {
  const order = sort.order === 'ASC' ? ('asc' as const) : ('desc' as const);
  return { ...filters, ...(q !== undefined && { filter_value: q }), page, pageItems: perPage, order };
}

/** The rows of a page in Laravel's format. */
export const rowsOf = <Row extends RaRecord>({ data, total }: Rows<Row>): Rows<Row> => ({ data, total });

/** A value as text without case and accents; objects and arrays as JSON. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();

const compare = (left: unknown, right: unknown) =>
  Number(left) - Number(right) || asText(left).localeCompare(asText(right), undefined, { numeric: true });

/** Pages a list that the server returns in full: searches by `q`, filters by equality and sorts. */
export function pageOfAll<Row extends RaRecord>(
  all: Row[],
  { page, perPage, sort, filter: { q, ...filters } }: Query,
): Rows<Row> {
  const isWanted = (row: Row) =>
    Object.entries(filters).every(([field, value]) => asText(row[field]) === asText(value)) &&
    Object.values(row).some((value) => asText(value).includes(asText(q)));
  const found = all.filter(isWanted).sort((left, right) => compare(left[sort.field], right[sort.field]));
  if (sort.order === 'DESC') found.reverse();
  return { data: found.slice((page - 1) * perPage, page * perPage), total: found.length };
}

/** The path parameter `id`. */
export const idOf = (id: Identifier) => ({ params: { path: { id: String(id) } } });

/** Finds a record by id in a list that the server returns in full. Throws Refusal with status 404. */
export function foundIn<Row extends RaRecord>(all: Row[], id: Identifier): Row {
  const found = all.find((row) => String(row.id) === String(id));
  if (!found) throw new Refusal('ra.page.not_found', 404);
  return found;
}
