import type { z } from 'zod';
import { inPages } from '@tutoring/shared/kit/database/pages';
import { row, rows, value, type Reader } from '@tutoring/shared/kit/database/sql';
import type { dayFields } from '@tutoring/shared/kit/http/declare/page';
import type { Cursor } from '../records/record.ts';
import type { Balance, CallPosting, Transaction } from './account.ts';
import { BELOW } from './ledger-store.ts';

const FIND_BALANCES =
  'select user_id, balance, held, balance - held as available, version from account where user_id = any($1)';

/** Balances in the order of `userIds`; zeros for a user without an account. */
export async function findBalances(reader: Reader, userIds: number[]): Promise<Balance[]> {
  const found = await rows<Balance>(reader, FIND_BALANCES, [userIds]);
  const balances = new Map(found.map((balance) => [balance.user_id, balance]));
  return userIds.map((id) => balances.get(id) ?? { user_id: id, balance: 0, held: 0, available: 0, version: 0 });
}

export const findBalance = async (reader: Reader, userId: number): Promise<Balance> =>
  (await findBalances(reader, [userId]))[0]!;

const SIDE = (own: string, direction: string) => `
  (select id, kind, '${direction}' as direction, amount, reference, created_at from transfer
   where ${own} = $3 and id < $1 and id >= $4 and ($5::date is null or created_at >= $5)
     and ($6::date is null or created_at < $6::date + 1) order by id desc limit $2)`;

/** The newest $2 transfers of the user $3 with $4 <= id < $1, of the days $5 to $6. */
const TRANSACTIONS = `
  select id, kind as type, direction, amount, reference as ref, created_at
  from (${SIDE('debit_account', 'out')} union all ${SIDE('credit_account', 'in')}) as sides
  order by id desc limit $2`;

/** The newest transfers of a user below the id `before`. */
export const listTransactions = (
  reader: Reader,
  userId: number,
  { before = Number.MAX_SAFE_INTEGER, limit }: Cursor,
): Promise<Transaction[]> => rows(reader, TRANSACTIONS, [before, limit, userId, 0, null, null]);

/** The charges, commissions and refunds of a call, in their order, from one snapshot. */
export const findPostingsOf = (reader: Reader, identifier: string) =>
  rows<CallPosting>(
    reader,
    `select kind, reference, number, debit_account as debit, credit_account as credit, amount, created_at from transfer
     where ${BELOW('reference', `'call:' || $1`)} and call_identifier = $1 order by id`,
    [identifier],
  );

/** Like `findPostingsOf`, of several calls. */
export const findPostingsOfCalls = (reader: Reader, identifiers: string[]) =>
  rows<CallPosting & { identifier: string }>(
    reader,
    `select c.identifier, t.kind, t.reference, t.number, t.debit, t.credit, t.amount, t.created_at
     from unnest($1::text[]) as c (identifier) cross join lateral (
       select id, kind, reference, number, debit_account as debit, credit_account as credit, amount, created_at
       from transfer where ${BELOW('reference', `'call:' || c.identifier`)} and call_identifier = c.identifier
     ) t order by t.id`,
    [identifiers],
  );

/** First and last day of a statement, both included. */
type Span = z.output<z.ZodObject<typeof dayFields>>;

/** All transfers of a user, newest first. Reads the next page when the previous one has been consumed. */
export async function* statement(reader: Reader, userId: number, span: Span): AsyncGenerator<Transaction> {
  const { first, last } = await boundsOf(reader, span);
  const more = [userId, first, span.from ?? null, span.to ?? null];
  yield* inPages<Transaction>(reader, TRANSACTIONS, 'id', last + 1, more);
}

/** Lowest and highest transfer id of these days, so that pages do not scan rows of other years. */
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
export const allBalances = (reader: Reader, currency: string) =>
  inPages<Balance>(
    reader,
    `select user_id, balance, held, balance - held as available, version, $3::text as currency from account
     where user_id > $1 order by user_id limit $2`,
    'user_id',
    0,
    [currency],
  );

export const countForfeits = (reader: Reader, userId: number) =>
  value<number>(
    reader,
    `select count(*) from transfer
     where ${BELOW('reference', `'forfeit:' || $1::bigint`)} and kind = 'forfeit' and debit_account = $1`,
    [userId],
  );
