import type { UserCaller } from '@tutoring/shared/auth';
import type { Database, Tx } from '@tutoring/shared/database/open';
import { AppError, assertThat } from '@tutoring/shared/errors';
import { claimKey, completeKey, releaseKey } from '@tutoring/shared/http/idempotency';
import type { Reply } from '@tutoring/shared/http/route';
import { moreIf } from '@tutoring/shared/jobs';
import type { Logger } from '@tutoring/shared/logger';
import { errors } from '../errors.ts';
import type { Ledger } from '../ledger/ledger-store.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { logAdminAction, type Acting } from '../records/admin-log.ts';
import { saysNothingNew, type Decision } from '../records/record.ts';
import { settingValue } from '../settings/setting-store.ts';
import { texts } from '../texts.ts';
import type { People } from '../users/people.ts';
import { publicDeposit, type Deposit, type DepositRow } from './deposit.ts';
import { moveDeposit, tellDeposit } from './deposit-moves.ts';
import { insertDeposit, lockDeposit, lockUnpaid, updateDeposit } from './deposit-store.ts';

/** A first request that stopped in its middle keeps its key for this long; then a repeat runs. */
const GIVE_UP_SECONDS = 30;
const UNPAID_AT_ONCE = 100;

export interface NewDeposit {
  caller: UserCaller;
  body: { amount: number; method?: string | undefined };
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

  async function fail(deposit: DepositRow, key: NewDeposit['key'], caller: UserCaller): Promise<void> {
    await database.transact(async (tx) => {
      const current = await lockDeposit(tx, deposit.id);
      if (current?.status === 'initiated')
        await moveDeposit(tx, ledger, current, 'failed', { details: texts.providerRefused });
      if (key !== undefined) await releaseKey(tx, { caller, scope, key });
    });
  }

  return {
    /**
     * Records the deposit and opens it at the provider, outside any transaction; the deposit's id is the key there, and
     * the link is in this answer only. Throws unavailable when the provider does not take it.
     */
    async create({ caller, body, key }: NewDeposit): Promise<(Deposit & { checkout_url: string }) | Reply> {
      const minimum = await settingValue(database.manager, 'min_deposit');
      assertThat(body.amount >= minimum, errors.belowMinimum(minimum));
      const request = { caller, scope, body };
      const begun = await database.transact(async (tx) => {
        if (key !== undefined) {
          await releaseKey(tx, { caller, scope, key }, GIVE_UP_SECONDS);
          const replay = await claimKey(tx, { ...request, key });
          if (replay) return { replay };
        }
        const { amount, method } = body;
        const deposit = await insertDeposit(tx, {
          userId: caller.id,
          amount,
          currency: ledger.currency,
          method,
          provider: provider.name,
        });
        await tellDeposit(tx, deposit);
        return { deposit };
      });
      if (begun.replay) return begun.replay;
      const { deposit } = begun;
      const [withUser] = await people.attach([publicDeposit(deposit)]);
      const opened = await provider.open(deposit).catch(async (error: unknown) => {
        logger.warn({ err: error, deposit_id: deposit.id }, 'the payment provider did not open a deposit');
        await fail(deposit, key, caller);
        throw errors.providerAway(error);
      });
      return database.transact(async (tx) => {
        const pending = await awaitPayment(tx, deposit.id, opened.ref);
        const user = (withUser as Deposit).user;
        const answer = { ...publicDeposit(pending), user, checkout_url: opened.checkoutUrl };
        if (key !== undefined) await completeKey(tx, { ...request, key }, 200, answer);
        return answer;
      });
    },

    /** What an administrator says about a deposit. Throws not_found, and conflict when the money is gone. */
    decide(acting: Acting, id: number, { status, details, ref }: Decision): Promise<DepositRow> {
      return database.transact(async (tx) => {
        const deposit = await lockDeposit(tx, id);
        assertThat(deposit, errors.depositUnknown());
        if (saysNothingNew(deposit, { status, details, ref })) return deposit;
        const moved = await moveDeposit(tx, ledger, deposit, status, {
          ...(details !== undefined && { details }),
          ...(ref !== undefined && { ref }),
        });
        await logAdminAction(tx, acting, {
          name: 'deposit.updated',
          subject: `deposit:${id}`,
          before: publicDeposit(deposit),
          after: publicDeposit(moved),
          at: moved.updated_at,
        });
        return moved;
      });
    },

    /** Job: cancels what was not paid within 24 hours. */
    cancelUnpaid: () =>
      database.transact(async (tx) => {
        const unpaid = await lockUnpaid(tx, UNPAID_AT_ONCE);
        for (const id of unpaid) {
          const deposit = (await lockDeposit(tx, id)) as DepositRow;
          await moveDeposit(tx, ledger, deposit, 'canceled', { details: texts.unpaid });
        }
        return moreIf(unpaid.length === UNPAID_AT_ONCE);
      }),
  };

  /** From initiated to pending, unless the provider's event was faster. */
  async function awaitPayment(tx: Tx, id: number, ref: string): Promise<DepositRow> {
    const current = await lockDeposit(tx, id);
    if (!current) throw new AppError('internal', 'a deposit vanished');
    const status = current.status === 'initiated' ? 'pending' : current.status;
    const pending = await updateDeposit(tx, id, { status, provider_ref: ref, ref: current.ref ?? ref });
    await tellDeposit(tx, pending);
    return pending;
  }
}

export type Deposits = ReturnType<typeof createDeposits>;
