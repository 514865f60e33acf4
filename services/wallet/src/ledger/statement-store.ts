import { inPages } from '@tutoring/shared/database/pages';
import { prepared, row, rows, value, type Reader } from '@tutoring/shared/database/sql';
import type { Balance, Posting, Transaction } from './account.ts';

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

/** A transfer of a call. */
export type CallPosting = Pick<Posting, 'kind' | 'reference' | 'amount'> & { created_at: string };

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
