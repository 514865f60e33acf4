import { bulkhead, BulkheadRejectedError } from 'cockatiel';
import { AppError } from '../errors.ts';
import { texts } from '../language/texts.ts';
import { createCounts } from './counts.ts';
import { namedBy, ofPerson, type Value } from './search.ts';
import { row, rows, type Reader } from './sql.ts';

/** So many hits are found by an index faster than a bucket is read. */
const FEW_HITS = 2_000;
/** The ids of a bucket, as in the tallies: id / 2^13. */
const BUCKET_BITS = 13;
const BUCKET_IDS = 2 ** BUCKET_BITS;
/** Searches across all users: how many run at once, whatever the size of the pool, and how many more may wait. */
const SEARCHES_AT_ONCE = 2;
const SEARCHES_WAITING = 10;

/** The rows of a list, by conditions on the table as `t`. */
interface Wanted {
  /** On columns of the table's tally, created_at included: what the tally counts alone is never counted again. */
  tallied: string[];
  /** On anything else. */
  others: string[];
  /** The same as `others`, for a statement that reads few rows one by one. */
  walked?: string[];
}

export interface Window {
  limit: number;
  offset: number;
  /** Of the ids, which is that of the dates: `desc` is newest first. */
  order: 'asc' | 'desc';
}

/** How many of the wanted rows a bucket has. */
interface Bucket {
  bucket: number;
  rows: number;
  /** That of the newest row of the table, when they were counted. */
  newest: number;
}

const searches = bulkhead(SEARCHES_AT_ONCE, SEARCHES_WAITING);

/** Throws unavailable when too many are waiting. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
  searches.execute(work).catch((error: unknown) => {
    throw error instanceof BulkheadRejectedError
      ? new AppError('unavailable', texts.searchesBusy, { retryAfter: 1 })
      : error;
  });

/** What a list can be asked for. */
interface ListFilter {
  filter_value?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface List<Filter extends ListFilter> {
  table: string;
  only?: { rows?: string; tally?: string };
  select: string;
  key: string;
  /** Fields of the filter that are columns of the tally. */
  tallied: (keyof Filter & string)[];
  /** What else the filter asks for; without `search`, `filter_value` too. */
  others?: (filter: Filter, value: Value, reader: Reader) => string[] | Promise<string[]>;
  /** Finds `filter_value` in the row, or in a person whose id one of the columns `people` is. */
  search?: {
    people: string[];
    /** The id that `filter_value` may be: the row with it comes first. */
    idOf?: (given: string) => number | undefined;
    texts?: (given: string, value: Value, reader: Reader) => string[] | Promise<string[]>;
    isPerson?: (given: string, value: Value, reader: Reader, filter: Filter) => Promise<string>;
  };
  isOfOne?: (filter: Filter) => boolean;
}

/**
 * The conditions of a filter on columns of the tally: those that equal, and `from` and `to`, days of created_at.
 * `value` adds a parameter and returns its name.
 */
function talliedConditions<Filter extends ListFilter>(
  filter: Filter,
  columns: (keyof Filter & string)[],
  value: Value,
): string[] {
  const conditions = columns
    .filter((column) => filter[column] !== undefined)
    .map((column) => `t.${column} = ${value(filter[column])}`);
  if (filter.from !== undefined) conditions.push(`t.created_at >= ${value(filter.from)}::date`);
  if (filter.to !== undefined) conditions.push(`t.created_at < ${value(filter.to)}::date + 1`);
  return conditions;
}

async function wantedOf<Filter extends ListFilter>(
  { tallied: columns, others: conditionsOf, search }: List<Filter>,
  filter: Filter,
  value: Value,
  reader: Reader,
): Promise<Wanted> {
  const tallied = talliedConditions(filter, columns, value);
  const others = (await conditionsOf?.(filter, value, reader)) ?? [];
  const given = filter.filter_value;
  if (!search || given === undefined) return { tallied, others };
  const { people, texts, isPerson = ofPerson } = search;
  const found = (await texts?.(given, value, reader)) ?? [];
  const named = await namedBy(reader, value, (own) => isPerson(given, own, reader, filter));
  const either = (walks: boolean) => [
    ...others,
    `(${[...found, ...people.map((column) => named(`t.${column}`, walks))].join(' or ')})`,
  ];
  return { tallied, others: either(false), walked: either(true) };
}

function whereOf(conditions: (string | undefined)[]): string {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length > 0 ? `where ${given.join(' and ')}` : '';
}

/**
 * Where a page lies: among the ids of the buckets from `lowest` to `highest` (`isOpen`: or above), after `skip` of them
 * in its order.
 */
function locate(newestFirst: Bucket[], { limit, offset, order }: Window) {
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
  // What was added since the count lies above all. From there down to what was only long ago it would be a long way.
  const { bucket: top, newest } = newestFirst[0]!;
  return { skip, lowest, highest, isOpen: highest === top && newest - top <= 1, isNear: highest - lowest <= 1 };
}

/** The number of wanted rows by bucket, newest first: out of the tally, or counted. */
function createCount(table: string, only: { rows?: string; tally?: string }) {
  const countOf = createCounts<{ buckets: Bucket[]; total: number }>();
  const newest = `(select max(id) >> ${BUCKET_BITS} from ${table}) as newest`;
  return async (reader: Reader, { tallied, others }: Wanted, values: unknown[]) => {
    const count = async (sql: string) => {
      const buckets = await rows<Bucket>(reader, sql, values);
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
 * Pages of a large table with their total number: a far page costs what the first does, in both orders. `table` has a
 * tally (`keep_tally`); `only` is a condition on every row, and the same on the tally; `select` reads an item up to its
 * FROM, in which `key` is the id of the table. A filter with `isOfOne` searches among the rows of one user.
 */
export function createListing<Item, Filter extends ListFilter>(list: List<Filter>) {
  const { table, select, key, isOfOne, only = {} } = list;
  const count = createCount(table, only);

  const searchesOf = (filter: Filter) =>
    filter.filter_value === undefined ? 'none' : isOfOne?.(filter) ? 'one' : 'all';

  /** The item whose id is searched for, if the rest of the filter holds for it. */
  async function exact(reader: Reader, searching: Filter, id: number): Promise<Item | undefined> {
    const values: unknown[] = [];
    const value: Value = (one) => `$${values.push(one)}`;
    const filter = { ...searching, filter_value: undefined };
    const { tallied, others } = await wantedOf(list, filter, value, reader);
    const where = whereOf([only.rows, ...tallied, ...others, `t.id = ${value(id)}`]);
    return row<Item>(reader, `${select} where ${key} = (select t.id from ${table} t ${where})`, values);
  }

  /** A page on which the row with the searched id, if there is one, is the first of all; the others are `pageOf` them. */
  async function page(reader: Reader, filter: Filter, window: Window) {
    const id = filter.filter_value === undefined ? undefined : list.search?.idOf?.(filter.filter_value);
    const first = id === undefined ? undefined : await exact(reader, filter, id);
    if (first === undefined) return pageOf(reader, filter, window);
    const { limit, offset } = window;
    const [isShown, others] = [offset === 0, { ...window, offset: Math.max(0, offset - 1) }];
    const { items, total } = await pageOf(reader, filter, { ...others, limit: isShown ? limit - 1 : limit }, id);
    return { items: isShown ? [first, ...items] : items, total: total + 1 };
  }

  async function pageOf(
    reader: Reader,
    filter: Filter,
    window: Window,
    except?: number,
  ): Promise<{ items: Item[]; total: number }> {
    const values: unknown[] = [];
    const value: Value = (given) => `$${values.push(given)}`;
    const wanted = await wantedOf(list, filter, value, reader);
    if (except !== undefined) {
      const condition = `t.id <> ${value(except)}`;
      wanted.others.push(condition);
      wanted.walked?.push(condition);
    }
    const { buckets, total } = await count(reader, wanted, values);
    const place = locate(buckets, window);
    if (!place) return { items: [], total };
    const { order, limit } = window;
    const { skip, lowest, highest, isNear, isOpen } = place;
    const range = [`t.id >= ${lowest * BUCKET_IDS}`, ...(isOpen ? [] : [`t.id < ${(highest + 1) * BUCKET_IDS}`])];
    const conditions = [only.rows, ...wanted.tallied, ...wanted.others];
    const walked = [only.rows, ...wanted.tallied, ...(wanted.walked ?? wanted.others)];
    const inRange = `${table} t ${whereOf([...conditions, ...range])}`;
    // OFFSET 0 keeps the planner from guessing how common a text is: it is known here. Few hits: all of them, by an index.
    // Common: walk the ids. In between, or of one user: an index, within the range.
    const few = `(select t.id from ${table} t ${whereOf(conditions)} offset 0) t ${whereOf(range)}`;
    const walk = `(select * from ${table} t ${whereOf(range)} order by t.id ${order} offset 0) t ${whereOf(walked)}`;
    const some = `(select t.id from ${inRange} offset 0) t`;
    // Other conditions, and those on very many people, take more than the hits to evaluate.
    const byHits = wanted.tallied.length === 0 && String(wanted.others) === String(wanted.walked ?? wanted.others);
    const isFew = byHits && total <= FEW_HITS;
    const found = { none: inRange, one: some, all: isFew ? few : isNear ? walk : some }[searchesOf(filter)];
    const items = await rows<Item>(
      reader,
      `${select} where ${key} = any(array(
         select t.id from ${found} order by t.id ${order} limit ${limit} offset ${skip})) order by ${key} ${order}`,
      values,
    );
    return { items, total };
  }

  return (reader: Reader, filter: Filter, window: Window) =>
    searchesOf(filter) === 'all' ? inTurn(() => page(reader, filter, window)) : page(reader, filter, window);
}
