import type { PageWindow } from '@tutoring/shared/kit/database/listing';
import type { ReadOnly } from '@tutoring/shared/kit/database/open';
import { containsCondition, type AddParameter } from '@tutoring/shared/kit/database/search';
import { dynamic, requiredRow, rows, value as valueOf, type Reader } from '@tutoring/shared/kit/database/sql';
import type { CaseCounts, CaseFilter } from './case-list.ts';

/** Most messages, notes and names that a search takes; of messages and notes the newest. */
const MAX_HITS = 300;
/** Shorter texts have no trigram. Messages are too long to index their parts. */
const MIN_TEXT = 3;
/** Size of a sample that shows whether a text is common, and the share from which walking by id is faster. */
const SAMPLE_BYTES = 50 * 8_192;
const COMMON_SHARE = 0.003;
/** Up to this many cases that pass a filter, their names are compared one by one. */
const FEW_CASES = 2_000;

type Found = { ids: number[]; total: number };

function conditions(
  filter: CaseFilter,
  callerId: number,
  value: AddParameter,
): { tallied: string[]; others: string[] } {
  const { state, assignee, label, user_id: userId } = filter;
  const assigned = assignee === 'me' ? callerId : assignee;
  return {
    tallied: [
      ...(state === undefined ? [] : [`t.state = ${value(state)}`]),
      ...(assigned === 'none' ? ['t.assignee_id is null'] : []),
      ...(typeof assigned === 'number' ? [`t.assignee_id = ${value(assigned)}`] : []),
    ],
    others: [
      ...(label === undefined ? [] : [`t.labels @> array[${value(label)}]::text[]`]),
      ...(userId === undefined ? [] : [`t.user_id = ${value(userId)}`]),
    ],
  };
}

const whereOf = (given: string[]) => (given.length > 0 ? `where ${given.join(' and ')}` : '');

function orderOf({ sort = 'waiting' }: CaseFilter, order: PageWindow['order']): string {
  if (sort === 'newest') return `t.id ${order}`;
  // The longest wait first; cases that do not wait come last.
  return order === 'desc' ? 't.waiting_since, t.id' : 't.waiting_since desc, t.id desc';
}

/** The newest messages that contain a text: a common one is found soon by id, a rare one by its trigrams. */
async function messagesWith(reader: Reader, given: string, value: AddParameter): Promise<string> {
  const bytes = await valueOf<number>(reader, `select pg_relation_size('support_message_found')`);
  const percent = Math.min(100, (100 * SAMPLE_BYTES) / Math.max(1, bytes));
  const share = await valueOf<number | null>(
    reader,
    dynamic(`select avg((strpos(text, $1) > 0)::int)::float8
      from support_message_found tablesample system (${percent})`),
    [given],
  );
  if ((share ?? 0) >= COMMON_SHARE)
    return `select room_uuid from support_message_found where strpos(text, ${value(given)}) > 0
      order by id desc limit ${MAX_HITS}`;
  return `select room_uuid from (select room_uuid, id from support_message_found
      where text like ${value(`%${escaped(given)}%`)} offset 0) m order by id desc limit ${MAX_HITS}`;
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The id of a case that a search names, such as `12` or `#12`. */
const idIn = (search: string): number | undefined => {
  const found = /^#?([1-9]\d{0,14})$/.exec(search.trim())?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Whether few cases pass the filter. */
async function isNarrow(reader: Reader, filter: CaseFilter, callerId: number): Promise<boolean> {
  const values: unknown[] = [];
  const { tallied, others } = conditions(filter, callerId, (given) => `$${values.push(given)}`);
  if (tallied.length + others.length === 0) return false;
  const passing = `select 1 from support_case t ${whereOf([...tallied, ...others])} limit ${FEW_CASES + 1}`;
  return (await valueOf<number>(reader, dynamic(`select count(*) from (${passing}) t`), values)) <= FEW_CASES;
}

/** SQL for the ids of cases whose persons have a name; `passes` is the filter. */
const namedCases = (named: string, passes: string, isFew: boolean) =>
  isFew
    ? `(select t.id from support_case t where exists (
          select from user_copy u where u.id = t.user_id and ${named} offset 0) ${passes} limit ${MAX_HITS})`
    : `(select t.id from (select u.id from user_copy u where ${named} offset 0) u
        join support_case t on t.user_id = u.id ${passes} limit ${MAX_HITS})`;

/** SQL for the ids of cases that match a search; those by name pass the filter already. */
async function hitsOf(
  reader: Reader,
  search: string,
  { passes, isFew }: { passes: string; isFew: boolean },
  value: AddParameter,
): Promise<string> {
  const { folded, normalised } = await requiredRow<{ folded: string; normalised: string }>(
    reader,
    'select fold($1) as folded, normalised($1) as normalised',
    [search],
  );
  const id = idIn(search);
  const hits = id === undefined ? [] : [`select ${value(id)}::bigint`];
  if ([...folded].length >= MIN_TEXT) {
    const like = value(`%${escaped(folded)}%`);
    hits.push(
      `select c.id from support_case c join (${await messagesWith(reader, folded, value)}) m using (room_uuid)`,
      `(select n.case_id from (select case_id, id from support_note where fold(text) like ${like} offset 0) n
        order by n.id desc limit ${MAX_HITS})`,
    );
  }
  if (normalised !== '') {
    const named = await containsCondition(
      reader,
      { table: 'user_copy', as: 'u', text: 'normalised(u.name)' },
      normalised,
      value,
    );
    hits.push(namedCases(named, passes, isFew));
  }
  return hits.join(' union ') || 'select null::bigint where false';
}

/** A page of the cases that a search finds. Sequential scans are off: here an index is always faster. */
const search = (database: ReadOnly, filter: CaseFilter & { q: string }, callerId: number, window: PageWindow) =>
  database.transact(async (tx): Promise<Found> => {
    const values: unknown[] = [];
    const value: AddParameter = (given) => `$${values.push(given)}`;
    await rows(tx, 'set local enable_seqscan = off');
    const { tallied, others } = conditions(filter, callerId, value);
    const passes = [...tallied, ...others].map((condition) => `and ${condition}`).join(' ');
    const isFew = await isNarrow(tx, filter, callerId);
    const hits = await hitsOf(tx, filter.q, { passes, isFew }, value);
    const id = idIn(filter.q);
    const order = [...(id === undefined ? [] : [`t.id = ${value(id)} desc`]), orderOf(filter, window.order)].join();
    return requiredRow<Found>(
      tx,
      dynamic(
        `with hit (id) as materialized (${hits}), t as materialized (
           select t.id, t.waiting_since from support_case t where t.id = any(array(select id from hit))
           ${passes})
         select (select count(*) from t) as total,
           to_json(array(select t.id from t order by ${order} limit ${window.limit} offset ${window.offset})) as ids`,
      ),
      values,
    );
  });

/** Ids of a page of cases, and the number of all that match. */
export async function listCaseIds(
  database: ReadOnly,
  filter: CaseFilter,
  callerId: number,
  window: PageWindow,
): Promise<Found> {
  const q = filter.q ?? filter.filter_value;
  if (q !== undefined) return search(database, { ...filter, q }, callerId, window);
  const values: unknown[] = [];
  const { tallied, others } = conditions(filter, callerId, (given) => `$${values.push(given)}`);
  const total =
    others.length === 0
      ? `select coalesce(sum(rows), 0) from support_case_tally t ${whereOf(tallied)}`
      : `select count(*) from support_case t ${whereOf([...tallied, ...others])}`;
  return requiredRow<Found>(
    database.manager,
    dynamic(
      `select (${total}) as total, to_json(array(select t.id from support_case t ${whereOf([...tallied, ...others])}
         order by ${orderOf(filter, window.order)} limit ${window.limit} offset ${window.offset})) as ids`,
    ),
    values,
  );
}

/** Numbers of cases out of the counters. */
export const countCases = (reader: Reader, adminId: number) =>
  requiredRow<CaseCounts>(
    reader,
    `select coalesce(sum(rows) filter (where state = 'open'), 0) as open,
       coalesce(sum(rows) filter (where state = 'open' and assignee_id = $1), 0) as mine,
       coalesce(sum(rows) filter (where state = 'open' and assignee_id is null), 0) as unassigned,
       coalesce(sum(rows) filter (where state = 'snoozed'), 0) as snoozed
     from support_case_tally`,
    [adminId],
  );
