import { currentContext } from '@tutoring/shared/context';
import type { Tx } from '@tutoring/shared/database/open';
import { violatedConstraint } from '@tutoring/shared/database/refusals';
import { row, rows } from '@tutoring/shared/database/sql';
import { markPublished } from '@tutoring/shared/events/outbox';
import type { Balance, Posting, Transaction } from './account.ts';

/** The context column of outbox rows that SQL writes. */
export const eventContext = () => JSON.stringify(currentContext() ?? {});

/** True when the debited user did not have the money available. */
export const isUncovered = (error: unknown) => violatedConstraint(error) === 'account_covered';

/** What calls of the ledger's SQL functions share: the currency that the events name. */
export function createLedger(currency: string) {
  async function call<Row>(tx: Tx, statement: string, parameters: unknown[]): Promise<Row> {
    const answer = await row<Row>(tx, statement, parameters);
    if (tx.queryRunner?.isTransactionActive) markPublished(tx);
    return answer as Row;
  }

  return {
    currency,

    /** Posts a transfer and tells it. Rejects with `account_covered` violated when the debited user lacks the money. */
    async post(tx: Tx, { kind, reference, debit, credit, amount }: Posting): Promise<void> {
      const parameters = [kind, reference, debit, credit, amount, currency, eventContext()];
      await call(tx, 'select post_transfer($1, $2, $3, $4, $5, $6, $7)', parameters);
    },

    /** Locks the users' accounts in ascending order until `tx` ends, opening them when needed. */
    async lock(tx: Tx, users: number[]): Promise<void> {
      await rows(tx, 'select lock_accounts($1)', [users]);
    },

    /**
     * Holds `amount` under `reference`, for `seconds` or (null) until somebody decides. Also as a statement of its own,
     * outside a transaction.
     */
    placeHold: (tx: Tx, hold: { reference: string; user: number; amount: number; seconds: number | null }) =>
      call<{ verdict: Verdict; amount: number; available: number; expires_at: string | null }>(
        tx,
        'select * from place_hold_if_open($1, $2, $3, $4, $5, $6)',
        [hold.reference, hold.user, hold.amount, hold.seconds, currency, eventContext()],
      ),

    /** Releases an open hold; answers how much, 0 when there was none. */
    async releaseHold(tx: Tx, reference: string): Promise<number> {
      const parameters = [reference, 'released', null, currency, eventContext()];
      const { freed } = await call<{ freed: number }>(tx, 'select end_hold($1, $2, $3, $4, $5) as freed', parameters);
      return freed;
    },

    /** Turns the whole of an open hold into a transfer. Answers null when it was not open. */
    async captureHold(tx: Tx, hold: string, posting: Pick<Posting, 'kind' | 'reference' | 'credit'>) {
      const parameters = [hold, posting.kind, posting.reference, posting.credit, currency, eventContext()];
      const { captured } = await call<{ captured: number | null }>(
        tx,
        'select capture_hold($1, $2, $3, $4, $5, $6) as captured',
        parameters,
      );
      return captured;
    },

    /** Expires up to `limit` holds whose time is over; answers how many. */
    async expireHolds(tx: Tx, limit: number): Promise<number> {
      const parameters = [limit, currency, eventContext()];
      const { ended } = await call<{ ended: number }>(tx, 'select expire_holds($1, $2, $3) as ended', parameters);
      return ended;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
export type Verdict = 'done' | 'repeated' | 'refused' | 'conflict' | 'closed';

/** Whether new money may move on a user's account: `closing` while identity deletes it, `closed` for ever after. */
export async function accountStanding(tx: Tx, userId: number): Promise<'open' | 'closing' | 'closed'> {
  const found = await row<{ standing: 'open' | 'closing' | 'closed' }>(
    tx,
    `select case when closed_until = 'infinity' then 'closed' when closed_until > app_now() then 'closing' else 'open' end
       as standing
     from account where user_id = $1`,
    [userId],
  );
  return found?.standing ?? 'open';
}

/** The account that a posted transfer credited. */
export async function creditedBy(tx: Tx, kind: Posting['kind'], reference: string): Promise<number> {
  const found = await row<{ credit_account: number }>(
    tx,
    'select credit_account from transfer where kind = $1 and reference = $2',
    [kind, reference],
  );
  if (!found) throw new Error(`no transfer ${reference}`);
  return found.credit_account;
}

/** Zeros for a user who never had money. */
export async function findBalance(tx: Tx, userId: number): Promise<Balance> {
  const found = await row<Balance>(
    tx,
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
  tx: Tx,
  userId: number,
  { before, limit }: { before: number; limit: number },
): Promise<Transaction[]> {
  return rows<Transaction>(
    tx,
    `select id, kind as type, direction, amount, reference as ref, created_at
     from (${SIDE('debit_account', 'out')} union all ${SIDE('credit_account', 'in')}) as sides
     order by id desc limit $3`,
    [userId, before, limit],
  );
}

/** Every balance, in pages by user, for `events resync`. */
export async function* allBalances(tx: Tx, currency: string): AsyncIterable<Balance & { currency: string }> {
  for (let after = 0; ;) {
    const page = await rows<Balance>(
      tx,
      `select user_id, balance, held, balance - held as available, version from account
       where user_id > $1 order by user_id limit 500`,
      [after],
    );
    for (const balance of page) yield { ...balance, currency };
    const last = page.at(-1);
    if (!last) return;
    after = last.user_id;
  }
}

/** How often a user's money was forfeited. */
export async function countForfeits(tx: Tx, userId: number): Promise<number> {
  const counted = await row<{ forfeits: number }>(
    tx,
    `select count(*) as forfeits from transfer
     where reference >= 'forfeit:' || $1::bigint || ':' and reference < 'forfeit:' || $1::bigint || ';'`,
    [userId],
  );
  return counted?.forfeits ?? 0;
}
