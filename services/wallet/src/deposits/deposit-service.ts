import { randomBytes } from 'node:crypto';
import type { Tx } from '@tutoring/shared/database/open';
import { AppError, assertThat } from '@tutoring/shared/errors';
import { claimKey, completeKey, releaseKey, rememberSubject } from '@tutoring/shared/http/serve/idempotency';
import type { IdempotentRequest } from '@tutoring/shared/http/serve/idempotency';
import type { UserCaller } from '@tutoring/shared/identity/auth';
import { Reply } from '@tutoring/shared/http/declare/route';
import { moreIf } from '@tutoring/shared/jobs';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import { accountClosed, accountClosing, belowMinimum, providerUnavailable, tooManyOpen } from '../errors.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { post } from '../ledger/ledger-service.ts';
import { accountStanding, creditedBy, lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { changeRecord, decisions, publishRecord } from '../records/record-service.ts';
import type { Change, Status } from '../records/record.ts';
import { records } from '../texts.ts';
import { depositEffect, publicDeposit, type DepositRow, type NewDeposit } from './deposit.ts';
import { depositKind, depositStore, discardUnopened, keepKey, lockUnpaid, PAID } from './deposit-store.ts';

/** Deposits that one student may have open at a time. */
const MOST_OPEN = 20;
const UNPAID_AT_ONCE = 100;

/** The account that a paid deposit credits; the user's is locked. Throws unavailable while it is being closed. */
async function payeeOf(tx: Tx, user: number): Promise<number> {
  const standing = await accountStanding(tx, user);
  assertThat(standing !== 'closing', accountClosing);
  return standing === 'closed' ? SYSTEM_ACCOUNTS.unclaimed : user;
}

/**
 * Moves a locked deposit to `to`, with its postings. Throws conflict when money to take back is no longer available,
 * and unavailable while the account is being closed. After the closing the money is credited to `unclaimed`, and the
 * details say so.
 */
export async function moveDeposit(
  tx: Tx,
  currency: string,
  deposit: DepositRow,
  to: Status,
  change: Change<Pick<DepositRow, 'details' | 'ref' | 'provider_ref'>> & { paid?: boolean } = {},
): Promise<DepositRow> {
  const effect = depositEffect(deposit.status, to);
  const entries = effect === 'credit' ? deposit.entries + 1 : deposit.entries;
  const reference = `deposit:${deposit.id}:${entries}`;
  const clearing = SYSTEM_ACCOUNTS[deposit.provider];
  const { user_id: user, amount } = deposit;
  const { ref, provider_ref, paid } = change;
  let { details } = change;
  if (effect === 'credit') {
    const locked = await lockAccounts(tx, [user]);
    const payee = await payeeOf(tx, user);
    await post(tx, currency, { kind: 'deposit', reference, debit: clearing, credit: payee, amount }, locked);
    if (payee !== user) details ??= records.paidAfterClosing;
  }
  if (effect === 'reverse') {
    const payee = await creditedBy(tx, 'deposit', reference);
    await post(tx, currency, { kind: 'deposit_reversal', reference, debit: payee, credit: clearing, amount });
  }
  return changeRecord(
    tx,
    depositKind,
    deposit.id,
    { ref, provider_ref, details, status: to, entries },
    paid ? PAID : [],
  );
}

type AskedDeposit = IdempotentRequest<NewDeposit, UserCaller>;

/** A new deposit, committed before the provider is called. Throws invalid, and conflict when too many are open. */
async function record(tx: Tx, { currency, providers }: Parts, { caller, body }: AskedDeposit): Promise<DepositRow> {
  const { amount, method = null } = body;
  const { min_deposit: minimum } = await readSettings(tx, ['min_deposit']);
  assertThat(amount >= minimum, () => belowMinimum(minimum));
  await lockAccounts(tx, [caller.id]);
  assertThat((await accountStanding(tx, caller.id)) === 'open', accountClosed);
  assertThat((await depositStore.countOpen(tx, caller.id)) < MOST_OPEN, () => tooManyOpen(MOST_OPEN));
  const provider = providers.current.name;
  const deposit = await depositStore.insert(tx, { user_id: caller.id, amount, currency, method, provider });
  await publishRecord(tx, depositKind, deposit);
  return deposit;
}

/**
 * The deposit of this request, with its key at the provider: a new one, or the one of an earlier request with this
 * Idempotency-Key that crashed.
 */
async function begin(tx: Tx, parts: Parts, asked: AskedDeposit): Promise<(DepositRow & { key: string }) | Reply> {
  const claim = await claimKey(tx, asked);
  if (claim instanceof Reply) return claim;
  const known = claim.subject === null ? undefined : await depositStore.lock(tx, Number(claim.subject));
  const deposit = known ?? (await record(tx, parts, asked));
  if (!known) await rememberSubject(tx, asked, String(deposit.id));
  return { ...deposit, key: await keepKey(tx, deposit.id, randomBytes(24).toString('base64url')) };
}

/** Ends a deposit that was not opened; one that the provider has refused leaves nothing. */
const fail = ({ database, currency }: Parts, id: number, asked: AskedDeposit, isRefused: boolean): Promise<void> =>
  database.transact(async (tx) => {
    const current = await depositStore.lock(tx, id);
    if (current?.status === 'initiated')
      await moveDeposit(tx, currency, current, 'failed', { details: records.providerRefused });
    if (isRefused) await discardUnopened(tx, id);
    await releaseKey(tx, asked);
  });

/** From initiated to pending, unless the provider's event came first. */
async function awaitPayment(tx: Tx, id: number, ref: string): Promise<DepositRow> {
  const current = await depositStore.lock(tx, id);
  if (!current) throw new Error('a deposit vanished');
  const status = current.status === 'initiated' ? 'pending' : current.status;
  return changeRecord(tx, depositKind, id, {
    status,
    provider_ref: current.provider_ref ?? ref,
    ref: current.ref ?? ref,
  });
}

/**
 * Records the deposit and opens it at the provider, outside any transaction, under the random key of its row. Only this
 * response contains the link. Throws invalid when the provider refuses the amount, and unavailable when it does not
 * open the deposit for another reason.
 */
export async function createDeposit(parts: Parts, asked: AskedDeposit) {
  const { database, logger, people, providers } = parts;
  const begun = await database.transact((tx) => begin(tx, parts, asked));
  if (begun instanceof Reply) return begun;
  const user = await people.summaryOf(begun.user_id);
  // A repeat may meet another provider than the crashed request did.
  const provider = providers.all.find(({ name }) => name === begun.provider);
  assertThat(provider, () => providerUnavailable(`${begun.provider} is no longer configured`));
  const opened = await provider.open(begun).catch(async (error: unknown) => {
    const isRefused = error instanceof AppError;
    logger.warn({ err: error, deposit_id: begun.id }, 'the payment provider did not open a deposit');
    await fail(parts, begun.id, asked, isRefused);
    throw isRefused ? error : providerUnavailable(error);
  });
  return database.transact(async (tx) => {
    const pending = await awaitPayment(tx, begun.id, opened.ref);
    const answer = { ...publicDeposit(pending), user, checkout_url: opened.checkoutUrl };
    await completeKey(tx, asked, answer);
    return answer;
  });
}

/** An administrator's decision on a deposit. Throws as `decisions`, and conflict when the money is gone. */
export const decideDeposit = ({ database, currency }: Parts) =>
  decisions(database, depositKind, (tx, deposit, { status, details, ref }) =>
    moveDeposit(tx, currency, deposit, status, { details, ref }),
  );

/** Job: cancels deposits that were not paid within 24 hours. */
export const cancelUnpaid = ({ database, currency }: Parts) =>
  database.transact(async (tx) => {
    const unpaid = await lockUnpaid(tx, UNPAID_AT_ONCE);
    for (const deposit of unpaid) await moveDeposit(tx, currency, deposit, 'canceled', { details: records.unpaid });
    return moreIf(unpaid.length === UNPAID_AT_ONCE);
  });
