import { randomBytes } from 'node:crypto';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { AppError, assertThat } from '@tutoring/shared/kit/errors';
import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import { Reply, type Once } from '@tutoring/shared/kit/http/declare/route';
import { moreIf } from '@tutoring/shared/kit/jobs';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import { isDisputed } from '../disputes/dispute-store.ts';
import {
  accountClosed,
  belowMinimum,
  depositsBlocked,
  disputedDeposit,
  providerUnavailable,
  tooManyOpen,
} from '../errors.ts';
import { post } from '../ledger/ledger-service.ts';
import { accountStanding, creditedBy, lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { clearingAccount } from '../providers/registry.ts';
import { changeRecord, decisions, publishRecord } from '../records/record-service.ts';
import type { Change, Status } from '../records/record.ts';
import { records } from '../texts.ts';
import { assertWithinBounds, BOUNDS, creditTerms, followCredit } from './credit-service.ts';
import { depositEffect, publicDeposit, type DepositRow, type NewDeposit } from './deposit.ts';
import {
  depositKind,
  depositStore,
  discardUnopened,
  ensurePaymentKey,
  isClaimed,
  lockUnpaid,
  SET_PAID_AT,
} from './deposit-store.ts';

/** Open deposits per student. */
const MAX_OPEN = 20;
const UNPAID_BATCH = 100;

/**
 * Moves a locked deposit to the status `to` and posts its transfers. Throws conflict when a reversal finds the money no
 * longer available, and unavailable while the account is closing. Credits the account `unclaimed` if the user's account
 * is closed, and says so in the details.
 */
export async function moveDeposit(
  tx: Tx,
  currency: string,
  deposit: DepositRow,
  to: Status,
  {
    ref,
    provider_ref,
    paid,
    ...notes
  }: Change<Pick<DepositRow, 'details' | 'ref' | 'provider_ref'>> & { paid?: boolean } = {},
): Promise<DepositRow> {
  const effect = depositEffect(deposit.status, to);
  const entries = effect === 'credit' ? deposit.entries + 1 : deposit.entries;
  const reference = `deposit:${deposit.id}:${entries}`;
  const { user_id: user, amount } = deposit;
  let { details } = notes;
  let terms: Awaited<ReturnType<typeof creditTerms>> | undefined;
  if (effect === 'credit') {
    const locked = await lockAccounts(tx, [user]);
    terms = await creditTerms(tx, deposit);
    const { payee } = terms;
    const debit = clearingAccount(deposit.provider);
    await post(tx, currency, { kind: 'deposit', reference, debit, credit: payee, amount }, locked);
    if (payee !== user) details ??= records.paidAfterClosing;
  }
  if (effect === 'reverse') {
    const payee = await creditedBy(tx, 'deposit', reference);
    const credit = clearingAccount(deposit.provider);
    await post(tx, currency, { kind: 'deposit_reversal', reference, debit: payee, credit, amount });
  }
  const change = { ref, provider_ref, details, status: to, entries };
  const moved = await changeRecord(tx, depositKind, deposit.id, change, paid ? SET_PAID_AT : []);
  if (terms) await followCredit(tx, currency, moved, terms);
  return moved;
}

/** Inserts a new deposit. Throws invalid, and conflict when the account is closed or has too many open deposits. */
async function recordDeposit(
  tx: Tx,
  { currency, providers }: Parts,
  caller: UserCaller,
  body: NewDeposit,
): Promise<DepositRow> {
  const { amount, method = null } = body;
  const settings = await readSettings(tx, ['min_deposit', 'dispute_blocks', ...BOUNDS]);
  const { min_deposit: minimum, dispute_blocks: blocks } = settings;
  assertThat(amount >= minimum, () => belowMinimum(minimum));
  await lockAccounts(tx, [caller.id]);
  assertThat((await accountStanding(tx, caller.id)) === 'open', accountClosed);
  assertThat((await depositStore.countOpen(tx, caller.id)) < MAX_OPEN, () => tooManyOpen(MAX_OPEN));
  assertThat(blocks === 0 || !(await isDisputed(tx, caller.id)), depositsBlocked);
  await assertWithinBounds(tx, caller.id, amount, settings);
  const provider = providers.forDeposit(method).name;
  const deposit = await depositStore.insert(tx, { user_id: caller.id, amount, currency, method, provider });
  await publishRecord(tx, depositKind, deposit);
  return deposit;
}

/** Adds the key at the provider, which an earlier request may have chosen. */
const withPaymentKey = async (tx: Tx, deposit: DepositRow) => ({
  ...deposit,
  key: await ensurePaymentKey(tx, deposit.id, randomBytes(24).toString('base64url')),
});

/** Marks a deposit as failed that the provider did not open; removes it if the provider refused its amount. */
async function failDeposit(tx: Tx, { currency }: Parts, id: number, isRefused: boolean): Promise<void> {
  const current = await depositStore.lock(tx, id);
  if (current?.status === 'initiated')
    await moveDeposit(tx, currency, current, 'failed', { details: records.providerRefused });
  if (isRefused) await discardUnopened(tx, id);
}

/** Moves a deposit from initiated to pending, unless an event of the provider has already moved it. */
async function awaitPayment(tx: Tx, id: number, ref: string): Promise<DepositRow> {
  const current = await depositStore.lock(tx, id);
  if (!current) throw new Error(`deposit ${id} does not exist any more`);
  const status = current.status === 'initiated' ? 'pending' : current.status;
  return changeRecord(tx, depositKind, id, {
    status,
    provider_ref: current.provider_ref ?? ref,
    ref: current.ref ?? ref,
  });
}

/**
 * Commits the deposit, then opens it at the provider under the random key of its row, outside any transaction. Only
 * this response contains the payment link. Throws invalid when the provider refuses the amount, and unavailable when it
 * fails to open the deposit for another reason.
 */
export async function createDeposit(parts: Parts, caller: UserCaller, body: NewDeposit, once: Once) {
  const { database, logger, people, providers } = parts;
  const begun = await once.begin(database, async (tx, earlier) => {
    const existing = earlier === undefined ? undefined : await depositStore.lock(tx, earlier);
    return withPaymentKey(tx, existing ?? (await recordDeposit(tx, parts, caller, body)));
  });
  if (begun instanceof Reply) return begun;
  const { record: deposit } = begun;
  const user = await people.summaryOf(deposit.user_id);
  // The provider may have been removed since the crashed request.
  const provider = providers.all.find(({ name }) => name === deposit.provider);
  assertThat(provider, () => providerUnavailable(`${deposit.provider} is no longer configured`));
  const opened = await provider.open(deposit).catch(async (error: unknown) => {
    const isRefused = error instanceof AppError;
    logger.warn({ err: error, deposit_id: deposit.id }, 'the payment provider did not open a deposit');
    await begun.release((tx) => failDeposit(tx, parts, deposit.id, isRefused));
    throw isRefused ? error : providerUnavailable(error);
  });
  return begun.complete(async (tx) => {
    const pending = await awaitPayment(tx, deposit.id, opened.ref);
    return { ...publicDeposit(pending), user, checkout_url: opened.checkoutUrl };
  });
}

/**
 * An administrator's decision on a deposit. Throws like `decisions`, and conflict when a reversal lacks the money or the
 * deposit has disputes or refunds.
 */
export const decideDeposit = ({ database, currency }: Parts) =>
  decisions(database, depositKind, async (tx, deposit, { status, details, ref }) => {
    const leaves = depositEffect(deposit.status, status) === 'reverse';
    assertThat(!leaves || !(await isClaimed(tx, deposit.id)), disputedDeposit);
    return moveDeposit(tx, currency, deposit, status, { details, ref });
  });

/** Job: cancels deposits that were not paid within 24 hours. */
export const cancelUnpaid = ({ database, currency }: Parts) =>
  database.transact(async (tx) => {
    const unpaid = await lockUnpaid(tx, UNPAID_BATCH);
    for (const deposit of unpaid) await moveDeposit(tx, currency, deposit, 'canceled', { details: records.unpaid });
    return moreIf(unpaid.length === UNPAID_BATCH);
  });
