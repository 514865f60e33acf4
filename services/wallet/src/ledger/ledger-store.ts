import type { Reader, Tx } from '@tutoring/shared/database/open';
import { inPages } from '@tutoring/shared/database/pages';
import { prepared, row, rows } from '@tutoring/shared/database/sql';
import type { Account, Balance, Posting, Transaction } from './account.ts';

const LOCK = (condition: string, otherwise = '') => `
  select user_id, balance, held, version from account
  where ${condition} order by user_id for no key update ${otherwise}`;

/** No row unless all exist: an account that is opened after others were locked would be locked out of order. */
const LOCK_ALL = {
  name: 'accounts_lock',
  sql: LOCK(`user_id = any($1::bigint[])
    and (select count(*) from account where user_id = any($1::bigint[])) = cardinality($1::bigint[])`),
};

/** What is opened here is nobody else's yet, and nothing is locked while it waits for somebody who opens the same. */
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

/** Locks the users' accounts in ascending order until `tx` ends, opening those that do not exist. */
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

/** The same for those that nobody else is at: it waits for nobody. */
export async function lockFreeAccounts(tx: Tx, users: number[]): Promise<Map<number, Account>> {
  return byUser(await prepared<Account>(tx, LOCK_FREE, [ascending(users)]));
}

const SAVE = {
  name: 'ledger_save',
  sql: `
  with changed as (
    update account a
    set balance = w.balance, held = w.held, version = w.version, updated_at = (select app_now())
    from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as w(user_id, balance, held, version)
    where a.user_id = w.user_id
  )
  insert into transfer (kind, reference, debit_account, credit_account, amount, created_at)
  select p.*, (select app_now())
  from unnest($5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[]) as p`,
};

/** Writes locked accounts, and transfers in this order. Violates transfer_reference when one was posted before. */
export async function saveLedger(tx: Tx, accounts: Account[], postings: Posting[] = []): Promise<void> {
  if (accounts.length === 0 && postings.length === 0) return;
  await prepared(tx, SAVE, [
    accounts.map(({ user_id }) => user_id),
    accounts.map(({ balance }) => balance),
    accounts.map(({ held }) => held),
    accounts.map(({ version }) => version),
    postings.map(({ kind }) => kind),
    postings.map(({ reference }) => reference),
    postings.map(({ debit }) => debit),
    postings.map(({ credit }) => credit),
    postings.map(({ amount }) => amount),
  ]);
}

/** The time that decides, `seconds` from now: read it after taking the lock. */
export async function timeIn(reader: Reader, seconds: number): Promise<string> {
  const [found] = await prepared<{ at: string }>(
    reader,
    { name: 'time_in', sql: 'select app_now() + make_interval(secs => $1) as at' },
    [seconds],
  );
  return (found as { at: string }).at;
}

/** Whether new money may move on a user's account: `closing` while identity deletes it, `closed` for ever after. */
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

/** Zeros for a user who never had money. */
export async function findBalance(reader: Reader, userId: number): Promise<Balance> {
  const found = await row<Balance>(
    reader,
    'select user_id, balance, held, balance - held as available, version from account where user_id = $1',
    [userId],
  );
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

/** Every balance, in pages by user, for `events resync`. */
export async function* allBalances(reader: Reader, currency: string): AsyncIterable<Balance & { currency: string }> {
  const sql = `select user_id, balance, held, balance - held as available, version from account
    where user_id > $1 order by user_id limit $2`;
  for await (const balance of inPages<Balance>(reader, sql, 'user_id', 0)) yield { ...balance, currency };
}

/** How often a user's money was forfeited. */
export async function countForfeits(reader: Reader, userId: number): Promise<number> {
  const counted = await row<{ forfeits: number }>(
    reader,
    `select count(*) as forfeits from transfer
     where reference >= 'forfeit:' || $1::bigint || ':' and reference < 'forfeit:' || $1::bigint || ';'`,
    [userId],
  );
  return counted?.forfeits ?? 0;
}
