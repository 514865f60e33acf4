import { rows, type Reader } from '@tutoring/shared/database/sql';
import { CHECKS, HEAD, type Finding } from './check-store.ts';

/** Findings of each check; more would not help. */
const FINDINGS_SHOWN = 100;

interface Scope {
  /** What the checks read instead of the whole tables of these names. */
  tables: Record<string, string>;
  checks: string[];
}

/** The newest block and its rows. */
export const NEWEST_BLOCK: Scope = {
  tables: { audit_block: 'select * from public.audit_block order by block desc limit 1' },
  checks: [HEAD, 'the transfers of a block are those that were sealed'],
};

/** Rows whose reference or source begins with that of a noun, by the index. */
const UNDER = (table: string, column: string) => `
  select t.* from noun cross join lateral (
    select * from public.${table} where ${column} >= (noun.name || ':') collate "C"
      and ${column} < (noun.name || ';') collate "C" offset 0) t`;
const RECORDS = (table: string) => `
  select * from public.${table} where id = any(array(
    select split_part(name, ':', 2)::bigint from noun where name ~ '^${table}:[0-9]{1,18}$'))`;

/** The transfers with $1 < id <= $2, and all that belongs to the same calls, deposits and withdrawals. */
export const NEW_TRANSFERS: Scope = {
  tables: {
    added: 'select * from public.transfer where id > $1::bigint and id <= $2::bigint',
    noun: `select distinct split_part(reference, ':', 1) || ':' || split_part(reference, ':', 2) as name from added`,
    transfer: `${UNDER('transfer', 'reference')} union all select * from added where reference !~ '^[^:]*:[^:]*:'`,
    deposit: RECORDS('deposit'),
    withdrawal: RECORDS('withdrawal'),
    hold: UNDER('hold', 'reference'),
    payment: `${UNDER('payment', 'source')} union all
      select p.* from noun cross join lateral (select * from public.payment where source = noun.name offset 0) p`,
  },
  checks: [
    'a transfer has the amount, the accounts and the reference of its kind',
    'a reference is posted once',
    'a commission is part of its charge',
    'a refund goes back where the charge came from, at most what was charged',
    'payments of calls and refunds say what was moved',
    'a deposit in success has its money credited, another has not',
    'a withdrawal in success is paid out, another is not',
    'an open withdrawal holds its amount, another holds nothing',
    'payments of deposits and withdrawals say what their records say',
  ],
};

/** The users of transfers above the id $1, when all up to $2 are sealed: their sums stand for these. */
export const TOUCHED_ACCOUNTS: Scope = {
  tables: {
    person: `
      select distinct side.user_id from public.transfer
      cross join lateral (values (debit_account), (credit_account)) as side(user_id)
      where id > $1::bigint and side.user_id > 0`,
    account: `
      select a.* from person cross join lateral (
        select * from public.account where user_id = person.user_id offset 0) a`,
    hold: `
      select h.* from person cross join lateral (
        select * from public.hold where user_id = person.user_id and state = 'open' offset 0) h`,
    transfer: `
      select 0 as debit_account, sealed.user_id as credit_account, sealed.balance as amount
      from person cross join lateral (
        select * from public.audit_account where user_id = person.user_id offset 0) sealed
      union all
      select debit_account, credit_account, amount from public.transfer where id > $2::bigint`,
  },
  checks: [
    'a balance is the sum of its transfers',
    'what is held is the sum of the open holds',
    'nobody is below zero or holds more than there is',
    'blocks and statistics have counted the same transfers',
  ],
};

/** What the checks of the scope find in the snapshot of `reader`. */
export async function findWrong(
  reader: Reader,
  { tables, checks }: Scope,
  parameters: number[] = [],
): Promise<Finding[]> {
  const shadows = Object.entries(tables).map(([name, sql]) => `${name} as materialized (${sql})`);
  const wrong = checks.map(
    (check, index) => `
      (select ${index} as nr, subject, coalesce(expected::text, 'none') as expected, coalesce(found::text, 'none') as found
       from (${CHECKS[check]}) as wrong order by subject limit ${FINDINGS_SHOWN})`,
  );
  const found = await rows<Omit<Finding, 'check'> & { nr: number }>(
    reader,
    `${shadows.length > 0 ? `with ${shadows.join(', ')}` : ''}
     select * from (${wrong.join(' union all ')}) as wrong order by nr, subject`,
    parameters,
  );
  return found.map(({ nr, ...finding }) => ({ check: checks[nr]!, ...finding }));
}
