import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { AppError } from '../errors.ts';
import { texts } from '../language/texts.ts';
import { createCountCache } from './counts.ts';
import { personCondition, personIdCondition, type AddParameter, type SearchScope } from './search.ts';
import { dynamic, row, rows, type Reader } from './sql.ts';

/** Up to this many hits, an index on the search text is faster than reading a bucket. */
const FEW_HITS = 2_000;
/** A bucket is a range of 2^13 ids, as in the tally tables. */
const BUCKET_BITS = 13;
const BUCKET_IDS = 2 ** BUCKET_BITS;
/** Limits for searches across all users: concurrent searches, whatever the size of the pool, and queued ones. */
const MAX_SEARCHES = 2;
const MAX_QUEUED_SEARCHES = 10;

/** SQL conditions on the table `t`. */
interface Conditions {
  /** On columns of the tally, or created_at. Without other conditions the total comes from the tally. */
  tallied: string[];
  /** On anything else. */
  others: string[];
  /** Equivalent to `others`, for a statement that checks rows one by one in id order. */
  rowByRow?: string[];
}

export interface PageWindow {
  limit: number;
  offset: number;
  /** By id, which is also by date: `desc` is newest first. */
  order: 'asc' | 'desc';
}

/** Number of matching rows in a bucket. */
interface Bucket {
  bucket: number;
  rows: number;
  /** The bucket of the table's newest row at the time of the count. */
  newest: number;
}

/** Whether a searched text may be an id. */
const isId = (searched = '') => /^\d{1,15}$/.test(searched);

const searches = bulkhead(MAX_SEARCHES, MAX_QUEUED_SEARCHES);

/** Throws unavailable when too many searches are queued. */
const queued = <T>(work: () => Promise<T>): Promise<T> =>
  searches.execute(work).catch((error: unknown) => {
    throw error instanceof BulkheadRejectedError
      ? new AppError('unavailable', texts.searchesBusy, { retryAfter: 1 })
      : error;
  });

/** The common parameters of lists. */
interface ListFilter {
  filter_value?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** A filter, and what its `filter_value` may search. */
type Scoped<Filter> = Filter & SearchScope;

interface List<Filter extends ListFilter> {
  table: string;
  only?: { rows?: string; tally?: string };
  select: string;
  key: string;
  /** Filter fields that are columns of the tally. */
  tallied: (keyof Filter & string)[];
  /** Conditions for all other filter fields; without `search` also for `filter_value`. */
  others?: (filter: Scoped<Filter>, value: AddParameter, reader: Reader) => string[] | Promise<string[]>;
  /** Searches `filter_value` in the row, and in the persons whose ids are in the columns `people`. */
  search?: {
    people: string[];
    texts?: (
      given: string,
      value: AddParameter,
      reader: Reader,
      filter: Scoped<Filter>,
    ) => string[] | Promise<string[]>;
    isPerson?: (given: string, value: AddParameter, reader: Reader, filter: Scoped<Filter>) => Promise<string>;
  };
  /** Whether a `filter_value` of digits is also an id: the row with this id is listed first. */
  findsById?: boolean;
  isOfOne?: (filter: Filter) => boolean;
}

/**
 * The conditions of a filter on columns of the tally: equality, and `from` and `to` (days of created_at). `value` adds
 * a parameter and returns its name in SQL.
 */
function talliedConditions<Filter extends ListFilter>(
  filter: Filter,
  columns: (keyof Filter & string)[],
  value: AddParameter,
): string[] {
  const conditions = columns
    .filter((column) => filter[column] !== undefined)
    .map((column) => `t.${column} = ${value(filter[column])}`);
  if (filter.from !== undefined) conditions.push(`t.created_at >= ${value(filter.from)}::date`);
  if (filter.to !== undefined) conditions.push(`t.created_at < ${value(filter.to)}::date + 1`);
  return conditions;
}

async function conditionsFor<Filter extends ListFilter>(
  { tallied: columns, others: otherConditions, search }: List<Filter>,
  filter: Scoped<Filter>,
  value: AddParameter,
  reader: Reader,
): Promise<Conditions> {
  const tallied = talliedConditions(filter, columns, value);
  const others = (await otherConditions?.(filter, value, reader)) ?? [];
  const given = filter.filter_value;
  if (!search || given === undefined) return { tallied, others };
  const { people, texts, isPerson = personCondition } = search;
  const found = (await texts?.(given, value, reader, filter)) ?? [];
  const named = await personIdCondition(reader, value, (own) => isPerson(given, own, reader, filter));
  const either = (isRowByRow: boolean) => [
    ...others,
    `(${[...found, ...people.map((column) => named(`t.${column}`, isRowByRow))].join(' or ')})`,
  ];
  return { tallied, others: either(false), rowByRow: either(true) };
}

function whereOf(conditions: (string | undefined)[]): string {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 0 ? `where ${given.join(' and ')}` : '';
}

/**
 * Locates a page: it starts after `skip` matching rows among the buckets `lowest` to `highest` (`isOpen`: and above).
 */
function locate(newestFirst: Bucket[], { limit, offset, order }: PageWindow) {
  const isAscending = order === 'asc';
  const buckets = isAscending ? newestFirst.toReversed() : newestFirst;
  let first = 0;
  let skip = offset;
  for (; buckets[first] && skip >= buckets[first]!.rows; first += 1) skip -= buckets[first]!.rows;
  const start = buckets[first];
  if (!start) return undefined;
  let last = first;
  for (let found = start.rows - skip; found < limit && buckets[last + 1]; last += 1) found += buckets[last + 1]!.rows;
  const ends = [start.bucket, buckets[last]!.bucket];
  const [lowest, highest] = [Math.min(...ends), Math.max(...ends)];
  // Rows that were added since the count have higher ids. Include them, unless the newest match is far below them.
  const { bucket: top, newest } = newestFirst[0]!;
  return { skip, lowest, highest, isOpen: highest === top && newest - top <= 1, isNear: highest - lowest <= 1 };
}

/** Counts matching rows by bucket, newest first: from the tally if possible, else from the table. */
function createCount(table: string, only: { rows?: string; tally?: string }) {
  const countOf = createCountCache<{ buckets: Bucket[]; total: number }>();
  const newest = `(select max(id) >> ${BUCKET_BITS} from ${table}) as newest`;
  return async (reader: Reader, { tallied, others }: Conditions, values: unknown[]) => {
    const count = async (sql: string) => {
      const buckets = await rows<Bucket>(reader, dynamic(sql), values);
      return { buckets, total: buckets.reduce((sum, { rows: some }) => sum + some, 0) };
    };
    if (others.length === 0)
      return count(
        `select bucket, sum(rows) as rows, ${newest} from ${table}_tally t ${whereOf([only.tally, ...tallied])}
         group by bucket having sum(rows) > 0 order by bucket desc`,
      );
    const where = whereOf([only.rows, ...tallied, ...others]);
    return countOf(JSON.stringify([where, values]), () =>
      count(
        `select t.id >> ${BUCKET_BITS} as bucket, count(*) as rows, ${newest} from ${table} t ${where}
         group by 1 order by 1 desc`,
      ),
    );
  };
}

/**
 * Reads pages of a large table, and the total number of rows. A far page costs as much as the first one, in both
 * orders. `table` has a tally (`keep_tally`). `only`: a condition on every row, and the same condition on the tally.
 * `select`: SQL for an item, up to and including FROM; `key` is the table's id in it. `isOfOne`: whether a filter is
 * restricted to one user, so that a search in it is cheap.
 */
export function createListing<Item, Filter extends ListFilter>(list: List<Filter>) {
  const { table, select, key, isOfOne, only = {} } = list;
  const count = createCount(table, only);

  const searchesOf = (filter: Filter) =>
    filter.filter_value === undefined ? 'none' : isOfOne?.(filter) ? 'one' : 'all';

  /** The item with this id, if it matches the rest of the filter. */
  async function exactMatch(reader: Reader, searching: Scoped<Filter>, id: number): Promise<Item | undefined> {
    const values: unknown[] = [];
    const value: AddParameter = (one) => `$${values.push(one)}`;
    const filter = { ...searching, filter_value: undefined };
    const { tallied, others } = await conditionsFor(list, filter, value, reader);
    const where = whereOf([only.rows, ...tallied, ...others, `t.id = ${value(id)}`]);
    const sql = dynamic(`${select} where ${key} = (select t.id from ${table} t ${where})`);
    return row<Item>(reader, sql, values);
  }

  async function page(reader: Reader, filter: Scoped<Filter>, window: PageWindow) {
    const id = list.findsById === true && isId(filter.filter_value) ? Number(filter.filter_value) : undefined;
    const first = id === undefined ? undefined : await exactMatch(reader, filter, id);
    if (first === undefined) return pageOf(reader, filter, window);
    const { limit, offset } = window;
    const [isShown, others] = [offset === 0, { ...window, offset: Math.max(0, offset - 1) }];
    const { items, total } = await pageOf(reader, filter, { ...others, limit: isShown ? limit - 1 : limit }, id);
    return { items: isShown ? [first, ...items] : items, total: total + 1 };
  }

  async function pageOf(
    reader: Reader,
    filter: Scoped<Filter>,
    window: PageWindow,
    except?: number,
  ): Promise<{ items: Item[]; total: number }> {
    const values: unknown[] = [];
    const value: AddParameter = (given) => `$${values.push(given)}`;
    const matching = await conditionsFor(list, filter, value, reader);
    if (except !== undefined) {
      const condition = `t.id <> ${value(except)}`;
      matching.others.push(condition);
      matching.rowByRow?.push(condition);
    }
    const { buckets, total } = await count(reader, matching, values);
    const located = locate(buckets, window);
    if (!located) return { items: [], total };
    const { order, limit } = window;
    const { skip, lowest, highest, isNear, isOpen } = located;
    const range = [`t.id >= ${lowest * BUCKET_IDS}`, ...(isOpen ? [] : [`t.id < ${(highest + 1) * BUCKET_IDS}`])];
    const conditions = [only.rows, ...matching.tallied, ...matching.others];
    const rowByRow = [only.rows, ...matching.tallied, ...(matching.rowByRow ?? matching.others)];
    const inRange = `${table} t ${whereOf([...conditions, ...range])}`;
    // OFFSET 0 fixes the plan, because the number of hits is known here and the planner would have to guess it.
    // Few hits: read all of them by an index. Many, close together: scan the ids in order. Else: an index within the
    // range.
    const few = `(select t.id from ${table} t ${whereOf(conditions)} offset 0) t ${whereOf(range)}`;
    const walk = `(select * from ${table} t ${whereOf(range)} order by t.id ${order} offset 0) t ${whereOf(rowByRow)}`;
    const some = `(select t.id from ${inRange} offset 0) t`;
    // With other conditions, or with persons who are too many to list, reading by index costs more than the hits.
    const isByHits =
      matching.tallied.length === 0 && String(matching.others) === String(matching.rowByRow ?? matching.others);
    const isFew = isByHits && total <= FEW_HITS;
    const found = { none: inRange, one: some, all: isFew ? few : isNear ? walk : some }[searchesOf(filter)];
    const items = await rows<Item>(
      reader,
      dynamic(
        `${select} where ${key} = any(array(
           select t.id from ${found} order by t.id ${order} limit ${limit} offset ${skip})) order by ${key} ${order}`,
      ),
      values,
    );
    return { items, total };
  }

  return (reader: Reader, given: Filter, window: PageWindow & SearchScope) => {
    const filter = { ...given, searchesContacts: window.searchesContacts };
    return searchesOf(filter) === 'all' ? queued(() => page(reader, filter, window)) : page(reader, filter, window);
  };
}
