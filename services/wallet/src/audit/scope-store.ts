import { dynamic, rows, type Reader } from '@tutoring/shared/kit/database/sql';
import { BELOW } from '../ledger/ledger-store.ts';
import { ACCOUNT_CHECKS, BLOCK_CHECKS, TRANSFER_CHECKS, type Finding } from './check-store.ts';
import { CLAIM_CHECKS } from './claim-check-store.ts';

/** Findings returned per check. */
const MAX_FINDINGS = 100;

interface Scope {
  /** Queries that the checks read instead of the tables of these names. */
  tables: Record<string, string>;
  /** Statements of the checks, by name. */
  checks: Record<string, string>;
}

/** The newest block and its transfers. */
export const NEWEST_BLOCK: Scope = {
  tables: { audit_block: 'select * from public.audit_block order by block desc limit 1' },
  checks: BLOCK_CHECKS,
};

/** The call or record of a transfer, or the user of a forfeit. */
const NOUN = `coalesce('call:' || call_identifier, 'deposit:' || deposit_id, 'withdrawal:' || withdrawal_id,
  'dispute:' || dispute_id, 'deposit-refund:' || refund_id, 'forfeit:' || debit_account)`;

/** Rows of the calls and records `noun`, found by the index on `key`. */
const ROWS_BELOW = (table: string, key: string) => `
  select t.* from noun cross join lateral (
    select * from public.${table} where ${BELOW(key, 'noun.name')} offset 0) t`;
const RECORDS_BY_ID = (table: string, id = `${table}_id`) => `
  select * from public.${table} where id = any(array(select ${id} from noun where ${id} is not null))`;

/** The transfers with $1 < id <= $2, and all rows of the same calls, deposits and withdrawals. */
export const NEW_TRANSFERS: Scope = {
  tables: {
    added: 'select * from public.transfer where id > $1::bigint and id <= $2::bigint',
    noun: `select distinct deposit_id, withdrawal_id, dispute_id, refund_id, ${NOUN} as name from added`,
    // Malformed references are below no noun.
    transfer: `
      ${ROWS_BELOW('transfer', 'reference')} union all
      select * from added where not starts_with(reference, ${NOUN} || ':')`,
    deposit: RECORDS_BY_ID('deposit'),
    withdrawal: RECORDS_BY_ID('withdrawal'),
    dispute: RECORDS_BY_ID('dispute'),
    deposit_refund: RECORDS_BY_ID('deposit_refund', 'refund_id'),
    hold: ROWS_BELOW('hold', 'reference'),
    payment: `${ROWS_BELOW('payment', 'source')} union all
      select p.* from noun cross join lateral (select * from public.payment where source = noun.name offset 0) p`,
  },
  checks: { ...TRANSFER_CHECKS, ...CLAIM_CHECKS },
};

/** The users of transfers above the id $1. Sealed sums replace their transfers up to the id $2. */
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
  checks: ACCOUNT_CHECKS,
};

/** Runs the checks of a scope in the snapshot of `reader`; returns their findings. */
export function runChecks(reader: Reader, { tables, checks }: Scope, parameters: number[] = []): Promise<Finding[]> {
  const shadows = Object.entries(tables).map(([name, sql]) => `${name} as materialized (${sql})`);
  const wrong = Object.entries(checks).map(
    ([check, sql], index) => `
      (select ${index} as nr, '${check}' as "check", subject, coalesce(expected::text, 'none') as expected,
         coalesce(found::text, 'none') as found
       from (${sql}) as wrong order by subject limit ${MAX_FINDINGS})`,
  );
  return rows<Finding>(
    reader,
    dynamic(
      `${shadows.length > 0 ? `with ${shadows.join(', ')}` : ''}
       select "check", subject, expected, found from (${wrong.join(' union all ')}) as wrong order by nr, subject`,
    ),
    parameters,
  );
}
