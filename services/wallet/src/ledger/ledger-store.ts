import { writeWithCommit, type Reader, type Tx } from '@tutoring/shared/kit/database/open';
import { column, columnsOf, row, rows, value } from '@tutoring/shared/kit/database/sql';
import type { CommandAnswer } from '@tutoring/shared/contract/commands';
import type { PaymentSide } from '../payments/payment.ts';
import type { Account, Accounts, Hold, Posting } from './account.ts';

/**
 * Condition by which an index of a text key finds the rows whose key begins with `name` and a colon. Which of them belong
 * to the record is decided by the columns of its parts.
 */
export const BELOW = (key: string, name: string) =>
  `${key} >= (${name} || ':') collate "C" and ${key} < (${name} || ';') collate "C"`;

const LOCK = (condition: string, otherwise = '') => `
  select user_id, balance, held, version from account
  where ${condition} order by user_id for no key update ${otherwise}`;

/** Returns no row unless all accounts exist: opening one after locking others would break the lock order. */
const LOCK_ALL = LOCK(`user_id = any($1::bigint[])
    and (select count(*) from account where user_id = any($1::bigint[])) = cardinality($1::bigint[])`);

/** Opens missing accounts first, so that it holds no lock while it waits for a transaction that opens the same one. */
const TRY_LOCK = `
  with opened as (
    insert into account (user_id)
    select wanted from unnest($1::bigint[]) wanted
    where not exists (select from account where user_id = wanted) order by wanted
    on conflict do nothing
    returning user_id, balance, held, version
  ), locked as (${LOCK('user_id = any($1::bigint[])', 'skip locked')})
  select * from opened union all select * from locked`;

/** System accounts have no row. */
const ascending = (accounts: number[]) => [...new Set(accounts)].filter((id) => id > 0).sort((a, b) => a - b);

const byUser = (accounts: Account[]) => new Map(accounts.map((account) => [account.user_id, account]));

/** Locks the users' accounts in ascending order until `tx` ends; opens those that do not exist. */
export async function lockAccounts(tx: Tx, users: number[]): Promise<Map<number, Account>> {
  const wanted = ascending(users);
  if (wanted.length === 0) return new Map();
  const locked = await rows<Account>(tx, LOCK_ALL, [wanted]);
  if (locked.length > 0) return byUser(locked);
  const opened: Account[] = [];
  for (const user of wanted) {
    await rows(tx, 'insert into account (user_id) values ($1) on conflict do nothing', [user]);
    opened.push(...(await rows<Account>(tx, LOCK('user_id = $1'), [user])));
  }
  return byUser(opened);
}

/** Like `lockAccounts`, but skips locked accounts instead of waiting. */
export async function tryLockAccounts(tx: Tx, users: number[]): Promise<Map<number, Account>> {
  return byUser(await rows<Account>(tx, TRY_LOCK, [ascending(users)]));
}

const SAVE = `
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
  from now, unnest($5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[]) as p`;

/** Rows that a movement of money writes: locked accounts and their holds, new postings and payments. */
export interface LedgerChange {
  accounts: Account[];
  holds?: Hold[];
  postings?: Posting[] | undefined;
  payments?: PaymentSide[];
}

/** A transfer between two system accounts changes no account row. */
const isChange = ({ accounts, postings = [] }: LedgerChange) => accounts.length + postings.length > 0;

const valuesOf = ({ accounts, postings = [], holds = [], payments = [] }: LedgerChange, currency: string) => [
  ...columnsOf(accounts, 'user_id', 'balance', 'held', 'version'),
  ...columnsOf(postings, 'kind', 'reference', 'debit', 'credit', 'amount'),
  ...columnsOf(holds, 'reference', 'user_id', 'amount', 'state', 'expires_at', 'version'),
  ...columnsOf(payments, 'source', 'user_id', 'direction', 'amount', 'ref', 'details'),
  currency,
];

/**
 * Writes accounts and holds in their next version, and transfers in the given order. Violates transfer_reference,
 * hold_pkey or payment_source when another transaction has used a reference first.
 */
export async function saveLedger(tx: Tx, change: LedgerChange, currency: string): Promise<void> {
  if (isChange(change)) await rows(tx, SAVE, valuesOf(change, currency));
}

/** Like `saveLedger`, but sent together with the COMMIT. */
export function saveLedgerWithCommit(tx: Tx, change: LedgerChange, currency: string): void {
  if (isChange(change)) void writeWithCommit(tx, SAVE, valuesOf(change, currency));
}

const TIME_IN = 'select app_now() + make_interval(secs => $1) as at';

/** The database's time plus `seconds`. Read it after taking the lock. */
export const timeIn = (reader: Reader, seconds: number) => value<string>(reader, TIME_IN, [seconds]);

/** Whether new money may move on a user's account: `closing` while identity deletes it, `closed` afterwards. */
export const accountStanding = async (reader: Reader, userId: number): Promise<'open' | 'closing' | 'closed'> =>
  (await value<'open' | 'closing' | 'closed' | undefined>(
    reader,
    `select case when closed_until = 'infinity' then 'closed' when closed_until > app_now() then 'closing' else 'open' end
     from account where user_id = $1`,
    [userId],
  )) ?? 'open';

export type Freeze = NonNullable<CommandAnswer<'obligations.check'>['frozen']>;

/** Blocks new movements of money for `seconds`; undefined for a closed account. The account must be locked. */
export const freezeAccount = (tx: Tx, userId: number, seconds: number) =>
  row<Freeze>(
    tx,
    `with earlier as (
       select user_id, closed_until from account where user_id = $1 and closed_until is distinct from 'infinity')
     update account a set closed_until = greatest(a.closed_until, app_now() + make_interval(secs => $2))
     from earlier e where a.user_id = e.user_id returning a.closed_until as until, e.closed_until as before`,
    [userId, seconds],
  );

/** Ends this freeze, unless a later freeze or the closing has replaced it. */
export const thawAccount = (tx: Tx, userId: number, { until, before }: Freeze) =>
  rows(tx, 'update account set closed_until = $3 where user_id = $1 and closed_until = $2', [userId, until, before]);

/** Blocks new movements of money for ever. Returns the account, locked. */
export async function closeAccount(tx: Tx, userId: number): Promise<Accounts> {
  const locked = await lockAccounts(tx, [userId]);
  await rows(tx, `update account set closed_until = 'infinity' where user_id = $1`, [userId]);
  return locked;
}

/** The account that a posted transfer credited. */
export const creditedBy = (reader: Reader, kind: Posting['kind'], reference: string): Promise<number> =>
  value(reader, 'select credit_account from transfer where kind = $1 and reference = $2', [kind, reference]);

const HOLD_COLUMNS = 'reference, user_id, amount, state, expires_at, version';
const FIND_HOLD = `select ${HOLD_COLUMNS} from hold where reference = $1`;

/** A hold cannot change while its user's account is locked. */
export const findHold = (reader: Reader, reference: string) => row<Hold>(reader, FIND_HOLD, [reference]);

const OVERDUE = `state = 'open' and expires_at <= (select app_now())`;

/** Users with an overdue hold, at most `limit`. */
export const findOverdueUsers = (reader: Reader, limit: number) =>
  column<number>(reader, `select distinct user_id from hold where ${OVERDUE} order by user_id limit $1`, [limit]);

/** One overdue hold per user; none for users without one. */
export const findOverdueHolds = (reader: Reader, users: number[]) =>
  rows<Hold>(
    reader,
    `select distinct on (user_id) ${HOLD_COLUMNS} from hold where user_id = any($1) and ${OVERDUE} order by user_id, reference`,
    [users],
  );

const FIND_RECORDS = `
  select h.user_id, h.amount, h.state, h.expires_at, h.version, t.debit_account as debit, t.amount as charged,
    (select app_now() + make_interval(secs => $3)) as until
  from unnest($1::text[], $2::text[]) with ordinality as c(reference, hold, nr)
  left join hold h on h.reference = c.hold
  left join transfer t on t.reference = c.reference and t.kind = 'call'
  order by c.nr`;

/** `user_id` is null if the hold does not exist, `debit` if the reference was not charged yet. */
interface FoundRecord extends Omit<Hold, 'reference' | 'user_id'> {
  user_id: number | null;
  debit: number | null;
  charged: number;
  until: string;
}

/** Existing holds and charges under the references of `charges`, and the time in `seconds`. Read it after the lock. */
export async function findChargeState(reader: Reader, charges: { reference: string; hold: string }[], seconds: number) {
  const found = await rows<FoundRecord>(reader, FIND_RECORDS, [
    charges.map(({ reference }) => reference),
    charges.map(({ hold }) => hold),
    seconds,
  ]);
  const holds = new Map<string, Hold>();
  const prior = new Map<string, Pick<Posting, 'debit' | 'amount'>>();
  for (const [index, { user_id, amount, state, expires_at, version, debit, charged }] of found.entries()) {
    const { reference, hold } = charges[index]!;
    if (user_id !== null) holds.set(hold, { reference: hold, user_id, amount, state, expires_at, version });
    if (debit !== null) prior.set(reference, { debit, amount: charged });
  }
  return { holds, prior, until: found[0]!.until };
}
