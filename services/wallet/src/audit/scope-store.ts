import type { Reader } from '@tutoring/shared/database/open';
import { rows } from '@tutoring/shared/database/sql';
import { keyIn, type Finding, type SubjectKind, type Subjects } from './audit.ts';
import { CHECKS, UNNAMED } from './check-store.ts';

/** Findings of each check; more would not help. */
const FINDINGS_SHOWN = 100;

/** Rows whose reference or source begins with one of the keys in $1, by the index. */
const UNDER = (table: string, column: string, noun: string) => `
  select t.* from unnest($1::text[]) as k(key) cross join lateral (
    select * from public.${table} where ${column} >= ('${noun}:' || k.key || ':') collate "C"
      and ${column} < ('${noun}:' || k.key || ';') collate "C" offset 0) t`;
const PAYMENTS = (noun: string) => `
  select t.* from unnest($1::text[]) as k(key) cross join lateral (
    select * from public.payment where source = '${noun}:' || k.key offset 0) t`;
const NONE = (table: string) => `select * from public.${table} where false`;
const BY_ID = (table: string, id: string) => `select * from public.${table} where ${id} = any($1::text[]::bigint[])`;
const OF_USERS = (noun: string) => `
  select * from public.account where user_id = any(array(
    select user_id from public.${noun} where id = any($1::text[]::bigint[])))`;
const WITHIN = (table: string) => `select * from public.${table} where id > $1 and id <= $2`;

interface Scope {
  /** What the checks read instead of the whole tables of these names. */
  tables: Record<string, string>;
  checks: string[];
}

const ONCE = 'a reference is posted once';
const RECORDED = 'payments of deposits and withdrawals say what their records say';

/** The checks of a few subjects, each reading nothing but the rows that belong to these. */
const SCOPES: Record<'account' | 'call' | 'deposit' | 'withdrawal' | 'hold' | 'payment' | 'transfers', Scope> = {
  account: {
    tables: {
      account: BY_ID('account', 'user_id'),
      hold: `select * from public.hold where user_id = any($1::text[]::bigint[]) and state = 'open'`,
    },
    checks: ['what is held is the sum of the open holds', 'nobody is below zero or holds more than there is'],
  },
  call: {
    tables: {
      transfer: UNDER('transfer', 'reference', 'call'),
      payment: `${PAYMENTS('call')} union all ${UNDER('payment', 'source', 'call')}`,
    },
    checks: [
      ONCE,
      'a commission is part of its charge',
      'a refund goes back where the charge came from, at most what was charged',
      'payments of calls and refunds say what was moved',
    ],
  },
  deposit: {
    tables: {
      transfer: UNDER('transfer', 'reference', 'deposit'),
      deposit: BY_ID('deposit', 'id'),
      withdrawal: NONE('withdrawal'),
      account: OF_USERS('deposit'),
      payment: PAYMENTS('deposit'),
    },
    checks: [ONCE, 'a deposit in success has its money credited, another has not', RECORDED],
  },
  withdrawal: {
    tables: {
      transfer: UNDER('transfer', 'reference', 'withdrawal'),
      deposit: NONE('deposit'),
      withdrawal: BY_ID('withdrawal', 'id'),
      hold: UNDER('hold', 'reference', 'withdrawal'),
      payment: PAYMENTS('withdrawal'),
    },
    checks: [
      ONCE,
      'a withdrawal in success is paid out, another is not',
      'an open withdrawal holds its amount, another holds nothing',
      RECORDED,
    ],
  },
  hold: {
    tables: { hold: 'select * from public.hold where reference = any($1::text[])' },
    checks: [
      'a hold that is over holds nothing, an open one is of a call or a withdrawal',
      'the hold of a call ends when nobody touches it',
    ],
  },
  payment: {
    tables: { payment: BY_ID('payment', 'id') },
    checks: ['a payment names what was paid'],
  },
  transfers: {
    tables: { transfer: WITHIN('transfer') },
    checks: [
      'a transfer moves a positive amount between two accounts',
      'a transfer has the accounts and the reference of its kind',
    ],
  },
};

/** Rows of `check`, which reads `tables` instead of those of the same names. */
function wrongRows(reader: Reader, check: string, tables: Record<string, string>, parameters: unknown[]) {
  const scoped = Object.entries(tables).map(([name, sql]) => `${name} as materialized (${sql})`);
  return rows<Omit<Finding, 'check'>>(
    reader,
    `${scoped.length > 0 ? `with ${scoped.join(', ')}` : ''}
     select subject, expected::text, found::text from (${CHECKS[check]}) as wrong order by subject limit ${FINDINGS_SHOWN}`,
    parameters,
  ).then((found) => found.map((finding) => ({ check, ...finding })));
}

async function findIn(reader: Reader, { tables, checks }: Scope, parameters: unknown[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await wrongRows(reader, check, tables, parameters)));
  return findings;
}

/** Every finding in the snapshot of `reader`. */
export const findWrong = (reader: Reader): Promise<Finding[]> =>
  findIn(reader, { tables: {}, checks: Object.keys(CHECKS) }, []);

/** The findings of some accounts (but their sums), calls, deposits, withdrawals, holds or payments. */
export const findWrongOf = async (reader: Reader, kind: SubjectKind & keyof typeof SCOPES, keys: Iterable<string>) =>
  (await findIn(reader, SCOPES[kind], [[...keys]])).map((finding) => ({
    ...finding,
    key: keyIn(kind, finding.subject),
  }));

/** The findings of each transfer with `after` < id <= `upTo` for itself. */
export const findWrongTransfers = (reader: Reader, after: number, upTo: number) =>
  findIn(reader, SCOPES.transfers, [after, upTo]);

const NUMBER = '^[0-9]{1,18}$';
const IDENTIFIED = (column: string) => `
  (${column} like 'call:%' or (split_part(${column}, ':', 1) in ('deposit', 'withdrawal')
    and split_part(${column}, ':', 2) ~ '${NUMBER}'))`;
const SUBJECT = (column: string) => `split_part(${column}, ':', 1) as kind, split_part(${column}, ':', 2) as key`;

async function subjectsIn(reader: Reader, sql: string, parameters: unknown[]): Promise<Subjects> {
  const subjects: Subjects = {};
  for (const { kind, key } of await rows<{ kind: SubjectKind; key: string }>(reader, sql, parameters))
    (subjects[kind] ??= new Set()).add(key);
  return subjects;
}

/** The transfers of the subject `t`, by the index of references, whatever is asked about their ids. */
const OF_SUBJECT = `
  select id from transfer where reference >= (t.kind || ':' || t.key || ':') collate "C"
    and reference < (t.kind || ':' || t.key || ';') collate "C" offset 0`;

/**
 * What the transfers with `after` < id <= `upTo` belong to, but for what has a later one up to the id `last`. So a way
 * along all transfers up to there checks everything once, whatever its references are, also a call of a hundred steps.
 */
export const subjectsOf = (reader: Reader, after: number, upTo: number, last: number) =>
  subjectsIn(
    reader,
    `select * from (
       select distinct ${SUBJECT('reference')} from transfer where id > $1 and id <= $2 and ${IDENTIFIED('reference')}
     ) t where $2::bigint >= $3::bigint or not exists (
       select from (${OF_SUBJECT}) later where later.id > $2 and later.id <= $3)`,
    [after, upTo, last],
  );

/** The users between whom these transfers moved money. */
export const usersOf = (reader: Reader, after: number, upTo: number) =>
  subjectsIn(
    reader,
    `select distinct 'account' as kind, side.user_id::text as key
     from transfer cross join lateral (values (debit_account), (credit_account)) as side(user_id)
     where id > $1 and id <= $2 and side.user_id > 0`,
    [after, upTo],
  );

/** What the next rows of a table belong to, after the key `after`, and the last key; undefined at the end. */
export interface Next {
  subjects: Subjects;
  last: string | number | undefined;
}

const NEXT = {
  payments: {
    from: 'payment',
    key: 'id',
    first: 0,
    subjects: `select ${SUBJECT('source')} where ${IDENTIFIED('source')} union all select 'payment', id::text where ${UNNAMED}`,
  },
  deposits: { from: 'deposit', key: 'id', first: 0, subjects: `select 'deposit' as kind, id::text as key` },
  withdrawals: { from: 'withdrawal', key: 'id', first: 0, subjects: `select 'withdrawal' as kind, id::text as key` },
  holds: { from: 'hold', key: 'reference', first: '', subjects: `select 'hold' as kind, reference as key` },
} as const;

export async function nextRows(
  reader: Reader,
  round: keyof typeof NEXT,
  after: string | number | undefined,
  limit: number,
): Promise<Next> {
  const { from, key, first, subjects: named } = NEXT[round];
  const found = await rows<{ at: string | number; kind: SubjectKind | null; key: string }>(
    reader,
    `select ${key} as at, named.* from (select * from ${from} where ${key} > $1 order by ${key} limit $2) next
     left join lateral (${named}) named on true order by ${key}`,
    [after ?? first, limit],
  );
  const subjects: Subjects = {};
  for (const { at, kind, key: name } of found) {
    if (kind !== null) (subjects[kind] ??= new Set()).add(name);
    const withdrawal = round === 'holds' && /^withdrawal:(\d{1,18}):/.exec(String(at))?.[1];
    if (withdrawal) (subjects.withdrawal ??= new Set()).add(withdrawal);
  }
  return { subjects, last: found.length < limit ? undefined : found.at(-1)?.at };
}
