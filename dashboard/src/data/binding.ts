import type { Identifier, RaRecord, SortPayload } from 'ra-core';
import type { paths } from '@tutoring/client/schema';
import { Refusal, type Client } from '../server/server.ts';

/* How a resource of the dashboard is read and written: one binding per resource, on paths of the typed client. */

export interface Query<Filter = Values> {
  page: number;
  perPage: number;
  sort: SortPayload;
  /** From the page's address: the server decides what it takes. `q` is the text to search for. */
  filter: Filter & { q?: string };
}

export interface Rows<Row extends RaRecord = RaRecord> {
  data: Row[];
  total: number;
}

export type Values = Record<string, unknown>;

/** A submitted form: all its values, and those that differ from the record that it showed. The server decides what it takes. */
export interface Edit<Body = Values> {
  values: Body;
  changes: Body;
}

/** How a resource is read and written. What pages give is typed by the bindings, as the bodies of their paths. */
export interface Binding {
  list(client: Client, query: Query): Promise<Rows>;
  one?(client: Client, id: Identifier): Promise<RaRecord>;
  create?(client: Client, values: Values): Promise<RaRecord>;
  update?(client: Client, id: Identifier, edit: Edit): Promise<RaRecord>;
  remove?(client: Client, id: Identifier): Promise<unknown>;
}

/** The body of a path's POST or PUT. */
export type BodyOf<Path extends keyof paths, Method extends 'post' | 'put'> = paths[Path][Method] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

/**
 * The body of a POST to an `...all` path: page, size, order and filters of a query. These lists are in the order of
 * their ids, which is that of time, whatever the field to sort by. A filter that the path does not know is ignored
 * there; a wrong value is a 422.
 */
export function pageOf<Filter>({ page, perPage, sort, filter: { q, ...filters } }: Query<Filter>) {
  const order = sort.order === 'ASC' ? ('asc' as const) : ('desc' as const);
  return { ...filters, ...(q !== undefined && { filter_value: q }), page, pageItems: perPage, order };
}

/** Rows of Laravel's page. */
export const rowsOf = <Row extends RaRecord>({ data, total }: Rows<Row>): Rows<Row> => ({ data, total });

/** Without case and accents; what is inside objects too. */
const asText = (value: unknown) =>
  (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();

const compare = (one: unknown, other: unknown) =>
  Number(one) - Number(other) || asText(one).localeCompare(asText(other), undefined, { numeric: true });

/** A page of a list that the server answers whole: searched by `q`, filtered by equality, sorted. */
export function pageOfAll<Row extends RaRecord>(
  all: Row[],
  { page, perPage, sort, filter: { q, ...filters } }: Query,
): Rows<Row> {
  const isWanted = (row: Row) =>
    Object.entries(filters).every(([field, value]) => asText(row[field]) === asText(value)) &&
    Object.values(row).some((value) => asText(value).includes(asText(q)));
  const found = all.filter(isWanted).sort((one, other) => compare(one[sort.field], other[sort.field]));
  if (sort.order === 'DESC') found.reverse();
  return { data: found.slice((page - 1) * perPage, page * perPage), total: found.length };
}

/** The path parameter `id`. */
export const idOf = (id: Identifier) => ({ params: { path: { id: String(id) } } });

/** Finds the record of an id in a list that the server answers whole. Throws like a 404. */
export function foundIn<Row extends RaRecord>(all: Row[], id: Identifier): Row {
  const found = all.find((row) => String(row.id) === String(id));
  if (!found) throw new Refusal('ra.page.not_found', 404);
  return found;
}
