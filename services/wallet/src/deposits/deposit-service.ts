import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { claimKey, completeKey, releaseKey, rememberSubject } from '@tutoring/shared/http/serve/idempotency';
import { Reply } from '@tutoring/shared/http/declare/route';
import { moreIf } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/process/logger';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { accountClosed, belowMinimum, providerUnavailable, tooManyOpen } from '../errors.ts';
import type { Ledger } from '../ledger/ledger-service.ts';
import { accountStanding, lockAccounts } from '../ledger/ledger-store.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { decisions } from '../records/record-service.ts';
import { records } from '../texts.ts';
import type { People } from '../users/user-service.ts';
import { publicDeposit, type Deposit, type DepositRow, type NewDeposit } from './deposit.ts';
import { moveDeposit, publishDeposit } from './deposit-move-service.ts';
import { depositKind, depositStore, lockUnpaid } from './deposit-store.ts';

/** Deposits that one student may have open at a time. */
const MOST_OPEN = 20;
const UNPAID_AT_ONCE = 100;

interface Asked {
  caller: UserCaller;
  body: NewDeposit;
  key: string | undefined;
}

export function createDeposits(deps: {
  database: Database;
  ledger: Ledger;
  people: People;
  provider: PaymentProvider;
  logger: Logger;
}) {
  const { database, ledger, people, provider, logger } = deps;
  const scope = 'POST /api/deposits';

  async function fail(deposit: DepositRow, key: Asked['key'], caller: UserCaller): Promise<void> {
    await database.transact(async (tx) => {
      const current = await depositStore.lock(tx, deposit.id);
      if (current?.status === 'initiated')
        await moveDeposit(tx, ledger, current, 'failed', { details: records.providerRefused });
      if (key !== undefined) await releaseKey(tx, { caller, scope, key });
    });
  }

  /** A new deposit, committed before the provider is called. Throws invalid, and conflict when too many are open. */
  async function record(tx: Tx, caller: UserCaller, { amount, method }: NewDeposit): Promise<DepositRow> {
    const { min_deposit: minimum } = await readSettings(tx, ['min_deposit']);
    assertThat(amount >= minimum, () => belowMinimum(minimum));
    await lockAccounts(tx, [caller.id]);
    assertThat((await accountStanding(tx, caller.id)) === 'open', accountClosed);
    assertThat((await depositStore.countOpen(tx, caller.id)) < MOST_OPEN, () => tooManyOpen(MOST_OPEN));
    const { currency } = ledger;
    const deposit = await depositStore.insert(tx, {
      user_id: caller.id,
      amount,
      currency,
      method: method ?? null,
      provider: provider.name,
    });
    await publishDeposit(tx, deposit);
    return deposit;
  }

  /** The deposit of this request: a new one, or the one of an earlier request with this key that crashed. */
  async function begin(tx: Tx, { caller, body, key }: Asked): Promise<DepositRow | Reply> {
    if (key === undefined) return record(tx, caller, body);
    const request = { caller, scope, body, key };
    const claim = await claimKey(tx, request);
    if (claim instanceof Reply) return claim;
    const known = claim.subject === null ? undefined : await depositStore.find(tx, Number(claim.subject));
    if (known) return known;
    const deposit = await record(tx, caller, body);
    await rememberSubject(tx, request, String(deposit.id));
    return deposit;
  }

  return {
    /**
     * Records the deposit and opens it at the provider, outside any transaction. The deposit's id is the idempotency
     * key there. Only this response contains the link. Throws unavailable when the provider does not accept it.
     */
    async create({ caller, body, key }: Asked): Promise<(Deposit & { checkout_url: string }) | Reply> {
      const begun = await database.transact((tx) => begin(tx, { caller, body, key }));
      if (begun instanceof Reply) return begun;
      const user = await people.summaryOf(begun.user_id);
      const opened = await provider.open(begun).catch(async (error: unknown) => {
        logger.warn({ err: error, deposit_id: begun.id }, 'the payment provider did not open a deposit');
        await fail(begun, key, caller);
        throw providerUnavailable(error);
      });
      return database.transact(async (tx) => {
        const pending = await awaitPayment(tx, begun.id, opened.ref);
        const answer = { ...publicDeposit(pending), user, checkout_url: opened.checkoutUrl };
        if (key !== undefined) await completeKey(tx, { caller, scope, body, key }, answer);
        return answer;
      });
    },

    /** An administrator's decision on a deposit. Throws as `decisions`, and conflict when the money is gone. */
    decide: decisions(database, depositKind, (tx, deposit, { status, details, ref }) =>
      moveDeposit(tx, ledger, deposit, status, { details, ref }),
    ),

    /** Job: cancels deposits that were not paid within 24 hours. */
    cancelUnpaid: () =>
      database.transact(async (tx) => {
        const unpaid = await lockUnpaid(tx, UNPAID_AT_ONCE);
        for (const id of unpaid) {
          const deposit = (await depositStore.lock(tx, id)) as DepositRow;
          await moveDeposit(tx, ledger, deposit, 'canceled', { details: records.unpaid });
        }
        return moreIf(unpaid.length === UNPAID_AT_ONCE);
      }),
  };

  /** From initiated to pending, unless the provider's event came first. */
  async function awaitPayment(tx: Tx, id: number, ref: string): Promise<DepositRow> {
    const current = await depositStore.lock(tx, id);
    if (!current) throw new Error('a deposit vanished');
    const status = current.status === 'initiated' ? 'pending' : current.status;
    const pending = await depositStore.update(tx, id, { status, provider_ref: ref, ref: current.ref ?? ref });
    await publishDeposit(tx, pending);
    return pending;
  }
}

export type Deposits = ReturnType<typeof createDeposits>;
