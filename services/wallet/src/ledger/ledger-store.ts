import { writeWithCommit, type Reader, type Tx } from '@tutoring/shared/database/open';
import { inPages } from '@tutoring/shared/database/pages';
import { prepared, row, rows, value } from '@tutoring/shared/database/sql';
import type { PaymentGrowth } from '../payments/payment.ts';
import type { Account, Balance, Hold, Posting, Transaction } from './account.ts';
import type { CallPosting } from './receipt.ts';

const LOCK = (condition: string, otherwise = '') => `
  select user_id, balance, held, version from account
  where ${condition} order by user_id for no key update ${otherwise}`;

/** Returns no row unless all exist: opening an account after locking others would break the lock order. */
const LOCK_ALL = {
  name: 'accounts_lock',
  sql: LOCK(`user_id = any($1::bigint[])
    and (select count(*) from account where user_id = any($1::bigint[])) = cardinality($1::bigint[])`),
};

/** Opens missing accounts first: it holds no lock while it waits for another transaction that opens the same one. */
const LOCK_FREE = {
  name: 'accounts_lock_free',
  sql: `
  with opened as (
    insert into account (user_id)
    select wanted from unnest($1::bigint[]) wanted
    where not exists (select from account where user_id = wanted) order by wanted
    on conflict do nothing
    returning user_id, balance, held, version
  ), locked as (${LOCK('user_id = any($1::bigint[])', 'skip locked')})
  select * from opened union all select * from locked`,
};

/** System accounts have no row. */
const ascending = (accounts: number[]) => [...new Set(accounts)].filter((id) => id > 0).sort((a, b) => a - b);

const byUser = (accounts: Account[]) => new Map(accounts.map((account) => [account.user_id, account]));

/** Locks the users' accounts in ascending order until `tx` ends; opens those that do not exist. */
export async function lockAccounts(tx: Tx, users: number[]): Promise<Map<number, Account>> {
  const wanted = ascending(users);
  if (wanted.length === 0) return new Map();
  const locked = await prepared<Account>(tx, LOCK_ALL, [wanted]);
  if (locked.length > 0) return byUser(locked);
  const opened: Account[] = [];
  for (const user of wanted) {
    await rows(tx, 'insert into account (user_id) values ($1) on conflict do nothing', [user]);
    opened.push(...(await rows<Account>(tx, LOCK('user_id = $1'), [user])));
  }
  return byUser(opened);
}

/** The same without waiting: skips locked accounts. */
export async function lockFreeAccounts(tx: Tx, users: number[]): Promise<Map<number, Account>> {
  return byUser(await prepared<Account>(tx, LOCK_FREE, [ascending(users)]));
}

const SAVE = {
  name: 'ledger_save',
  sql: `
  with now as materialized (
    select app_now() as at
  ), changed as (
    update account a set balance = w.balance, held = w.held, version = w.version, updated_at = now.at
    from now, unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as w(user_id, balance, held, version)
    where a.user_id = w.user_id
  ), holding as materialized (
    select * from unnest($10::text[], $11::bigint[], $12::bigint[], $13::text[], $14::timestamptz[], $15::bigint[])
      as w(reference, user_id, amount, state, expires_at, version)
  ), prolonged as (
    update hold h
    set amount = w.amount, state = w.state, expires_at = w.expires_at, version = w.version, updated_at = now.at
    from now, holding w where w.version > 1 and h.reference = w.reference
  ), opened as (
    insert into hold (reference, user_id, amount, state, expires_at, version, created_at, updated_at)
    select w.*, now.at, now.at from now, holding w where version = 1
  ), side as materialized (
    select * from unnest($16::text[], $17::bigint[], $18::text[], $19::bigint[], $20::text[], $21::text[])
      as s(source, user_id, direction, amount, ref, details)
  ), grown as (
    update payment p set amount = p.amount + s.amount, updated_at = now.at
    from now, side s where p.source = s.source and p.user_id = s.user_id
    returning p.source, p.user_id
  ), begun as (
    insert into payment (source, user_id, type, direction, amount, currency, status, ref, details, created_at, updated_at)
    select s.source, s.user_id, 'call', s.direction, s.amount, $22, 'success', s.ref, s.details, now.at, now.at
    from now, side s
    where not exists (select from grown g where g.source = s.source and g.user_id = s.user_id)
  )
  insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
  select p.*, now.at
  from now, unnest($5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[]) as p`,
};

/** What money movements write: locked accounts and their holds in the next version, and new rows. */
interface LedgerChange {
  accounts: Account[];
  holds?: Hold[];
  postings?: Posting[];
  payments?: PaymentGrowth[];
}

/** A transfer between two system accounts changes no account row. */
const isChange = ({ accounts, postings = [] }: LedgerChange) => accounts.length + postings.length > 0;

const columns = <Row>(table: Row[], ...names: (keyof Row)[]) => names.map((name) => table.map((one) => one[name]));

const valuesOf = ({ accounts, postings = [], holds = [], payments = [] }: LedgerChange, currency: string) => [
  ...columns(accounts, 'user_id', 'balance', 'held', 'version'),
  ...columns(postings, 'kind', 'reference', 'debit', 'credit', 'amount'),
  ...columns(holds, 'reference', 'user_id', 'amount', 'state', 'expires_at', 'version'),
  ...columns(payments, 'source', 'userId', 'direction', 'amount', 'ref', 'details'),
  currency,
];

/**
 * Writes money movements; transfers in this order. Violates transfer_reference, hold_pkey or payment_source when
 * another transaction used a reference first.
 */
export async function saveLedger(tx: Tx, change: LedgerChange, currency: string): Promise<void> {
  if (isChange(change)) await prepared(tx, SAVE, valuesOf(change, currency));
}

/** The same, written with the COMMIT. */
export function saveLedgerWithCommit(tx: Tx, change: LedgerChange, currency: string): void {
  if (isChange(change)) void writeWithCommit(tx, SAVE, valuesOf(change, currency));
}

/** The database's time, `seconds` from now: read it after taking the lock. */
export async function timeIn(reader: Reader, seconds: number): Promise<string> {
  const [found] = await prepared<{ at: string }>(
    reader,
    { name: 'time_in', sql: 'select app_now() + make_interval(secs => $1) as at' },
    [seconds],
  );
  return (found as { at: string }).at;
}

/** Whether new money may move on a user's account: `closing` while identity deletes it, `closed` afterwards. */
export async function accountStanding(reader: Reader, userId: number): Promise<'open' | 'closing' | 'closed'> {
  const found = await row<{ standing: 'open' | 'closing' | 'closed' }>(
    reader,
    `select case when closed_until = 'infinity' then 'closed' when closed_until > app_now() then 'closing' else 'open' end
       as standing
     from account where user_id = $1`,
    [userId],
  );
  return found?.standing ?? 'open';
}

/** The account that a posted transfer credited. */
export async function creditedBy(reader: Reader, kind: Posting['kind'], reference: string): Promise<number> {
  const found = await row<{ credit_account: number }>(
    reader,
    'select credit_account from transfer where kind = $1 and reference = $2',
    [kind, reference],
  );
  if (!found) throw new Error(`no transfer ${reference}`);
  return found.credit_account;
}

const FIND_BALANCE = {
  name: 'find_balance',
  sql: 'select user_id, balance, held, balance - held as available, version from account where user_id = $1',
};

/** Zeros for a user without an account. */
export async function findBalance(reader: Reader, userId: number): Promise<Balance> {
  const [found] = await prepared<Balance>(reader, FIND_BALANCE, [userId]);
  return found ?? { user_id: userId, balance: 0, held: 0, available: 0, version: 0 };
}

const SIDE = (own: string, direction: string) => `
  (select id, kind, '${direction}' as direction, amount, reference, created_at from transfer
   where ${own} = $1 and id < $2 order by id desc limit $3)`;

/** The newest transfers of a user below the id `before`. */
export async function listTransactions(
  reader: Reader,
  userId: number,
  { before, limit }: { before: number; limit: number },
): Promise<Transaction[]> {
  return rows<Transaction>(
    reader,
    `select id, kind as type, direction, amount, reference as ref, created_at
     from (${SIDE('debit_account', 'out')} union all ${SIDE('credit_account', 'in')}) as sides
     order by id desc limit $3`,
    [userId, before, limit],
  );
}

/** All postings of a call, in this order, from one snapshot. */
export const findPostings = (reader: Reader, identifier: string) =>
  rows<CallPosting>(
    reader,
    `select kind, reference, amount, created_at from transfer
     where reference >= 'call:' || $1 || ':' and reference < 'call:' || $1 || ';' order by id`,
    [identifier],
  );

/** Days of a statement, both included. */
export interface Span {
  from?: string | undefined;
  to?: string | undefined;
}

const STATEMENT_SIDE = (own: string, direction: string) => `
  (select id, kind, '${direction}' as direction, amount, reference, created_at from transfer
   where ${own} = $3 and id < $1 and id >= $4 and ($5::date is null or created_at >= $5)
     and ($6::date is null or created_at < $6::date + 1) order by id desc limit $2)`;

/** All transfers of a user, newest first. A page is read when the previous one has been consumed. */
export async function* statement(reader: Reader, userId: number, span: Span): AsyncGenerator<Transaction> {
  const { first, last } = await boundsOf(reader, span);
  yield* inPages<Transaction>(
    reader,
    `select id, kind as type, direction, amount, reference as ref, created_at
     from (${STATEMENT_SIDE('debit_account', 'out')} union all ${STATEMENT_SIDE('credit_account', 'in')}) as sides
     order by id desc limit $2`,
    'id',
    last + 1,
    [userId, first, span.from ?? null, span.to ?? null],
  );
}

/** The ids between which all transfers of these days lie, so that no page reads years of rows. */
async function boundsOf(reader: Reader, { from, to }: Span): Promise<{ first: number; last: number }> {
  if (from === undefined && to === undefined) {
    return { first: 0, last: await value<number>(reader, 'select coalesce(max(id), 0) from transfer') };
  }
  const bounds = await row<{ first: number | null; last: number | null }>(
    reader,
    `with uncounted as (
       select id, (created_at at time zone 'UTC')::date as day from transfer
       where id > (select counted_to from ledger_day_mark)
     )
     select
       least((select min(first_id) from ledger_day where $1::date is null or day >= $1),
         (select min(id) from uncounted where $1::date is null or day >= $1)) as first,
       greatest((select max(last_id) from ledger_day where $2::date is null or day <= $2),
         (select max(id) from uncounted where $2::date is null or day <= $2)) as last`,
    [from ?? null, to ?? null],
  );
  return { first: bounds?.first ?? 0, last: bounds?.last ?? 0 };
}

/** Every balance, in pages by user, for `events resync`. */
export async function* allBalances(reader: Reader, currency: string): AsyncIterable<Balance & { currency: string }> {
  const sql = `select user_id, balance, held, balance - held as available, version from account
    where user_id > $1 order by user_id limit $2`;
  for await (const balance of inPages<Balance>(reader, sql, 'user_id', 0)) yield { ...balance, currency };
}

/** How many forfeits a user has had. */
export const countForfeits = (reader: Reader, userId: number) =>
  value<number>(
    reader,
    `select count(*) from transfer
     where reference >= 'forfeit:' || $1::bigint || ':' and reference < 'forfeit:' || $1::bigint || ';'`,
    [userId],
  );
