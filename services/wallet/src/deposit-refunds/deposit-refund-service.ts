import { randomBytes } from 'node:crypto';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import type { Once, Reply } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller, UserCaller } from '@tutoring/shared/kit/identity/auth';
import {
  aboveMaximum,
  accountClosed,
  cannotMoveRefund,
  depositNotFound,
  disputedDeposit,
  insufficientFunds,
  nothingLeftToRefund,
  refundDecidedMeanwhile,
  refundNotFound,
  refundsNotOffered,
  refundTooLate,
  unpaidDeposit,
} from '../errors.ts';
import * as holds from '../holds/hold-service.ts';
import { availableOf, type Account } from '../ledger/account.ts';
import { payeeOf, post } from '../ledger/ledger-service.ts';
import { accountStanding, lockAccounts } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { clearingAccount } from '../providers/registry.ts';
import {
  EVENT_OF,
  publicRefund,
  refundable,
  refundMove,
  type DepositRefund,
  type DepositRefundRow,
  type NewDepositRefund,
  type RefundDecision,
  type RefundEvent,
  type RefundMove,
} from './deposit-refund.ts';
import * as store from './deposit-refund-store.ts';

/* The refunds of a student change only while the student's account is locked; the account is locked first. */

const holdReference = (id: number) => `deposit-refund:${id}:hold`;

/** People are told about these statuses, by mail and push. */
const ANNOUNCED = ['sent', 'success', 'failed', 'rejected'] as const;

function announce(tx: Tx, { id, user_id, amount, currency, status, details }: DepositRefundRow): void {
  const what = ANNOUNCED.find((told) => told === status);
  if (!what) return;
  const reason = what === 'rejected' && details !== null ? { details } : {};
  publish(tx, [
    { name: 'money.announced', data: { user_id, what: `refund_${what}`, id, amount, currency, ...reason } },
  ]);
}

/** Moves the money of a refund of a locked account. */
async function moveMoney(tx: Tx, currency: string, refund: DepositRefundRow, effect: RefundMove['effect']) {
  const { id, user_id: user, amount, provider } = refund;
  const reference = `deposit-refund:${id}:1`;
  const clearing = clearingAccount(provider);
  if (effect === 'release') await holds.release(tx, currency, holdReference(id));
  if (effect === 'capture') {
    const posting = { kind: 'deposit_reversal' as const, reference, credit: clearing };
    const captured = await holds.capture(tx, currency, holdReference(id), posting);
    if (captured !== amount) throw new Error(`refund ${id} held ${captured} instead of ${amount}`);
  }
  if (effect === 'return') {
    const credit = await payeeOf(tx, user);
    await post(tx, currency, { kind: 'deposit', reference, debit: clearing, credit, amount });
  }
}

/** Moves a locked refund of a locked account; undefined when its status does not allow the event. */
export async function moveRefund(
  tx: Tx,
  { currency, wakeAsking }: Parts,
  refund: DepositRefundRow,
  event: RefundEvent,
  change: { ref?: string | undefined; details?: string | undefined } = {},
): Promise<DepositRefundRow | undefined> {
  const move = refundMove(refund.status, event);
  if (!move) return undefined;
  await moveMoney(tx, currency, refund, move.effect);
  const { ref = refund.ref, details = refund.details } = change;
  const isSent = move.to === 'sent';
  const moved = await store.updateRefund(tx, refund.id, { status: move.to, ref, details }, { isSent });
  announce(tx, moved);
  if (isSent) afterCommit(tx, wakeAsking);
  return moved;
}

/** The largest amount and the amount of a new refund. Throws conflict, invalid and payment_required. */
async function amountOf(
  deposit: store.RefundableDeposit,
  { amount: wanted }: NewDepositRefund,
  account: Account,
  days: number,
): Promise<number> {
  assertThat(deposit.status === 'success', unpaidDeposit);
  assertThat(days === 0 || deposit.age_days <= days, () => refundTooLate(days));
  const left = refundable(deposit);
  assertThat(left > 0, nothingLeftToRefund);
  assertThat(wanted === undefined || wanted <= left, () => aboveMaximum(left));
  const available = availableOf(account);
  const amount = wanted ?? Math.min(left, available);
  assertThat(amount > 0 && amount <= available, insufficientFunds);
  return amount;
}

async function recordRefund(
  tx: Tx,
  parts: Parts,
  { depositId, user, body }: { depositId: number; user: number; body: NewDepositRefund },
): Promise<DepositRefundRow> {
  const { currency } = parts;
  const deposit = await store.lockRefundable(tx, depositId, user);
  assertThat(deposit, depositNotFound);
  const settings = await readSettings(tx, ['deposit_refunds', 'deposit_refund_days']);
  assertThat(settings.deposit_refunds > 0, refundsNotOffered);
  const account = (await lockAccounts(tx, [user])).get(user) as Account;
  assertThat((await accountStanding(tx, user)) === 'open', accountClosed);
  const amount = await amountOf(deposit, body, account, settings.deposit_refund_days);
  const refund = await store.insertRefund(tx, {
    ...{ deposit_id: depositId, user_id: user, amount, currency, provider: deposit.provider },
    details: body.reason ?? null,
    refund_key: randomBytes(24).toString('base64url'),
  });
  const placed = await holds.place(tx, currency, { reference: holdReference(refund.id), user, amount, seconds: null });
  assertThat(placed.verdict === 'done', insufficientFunds);
  await store.copyToPayment(tx, refund.id);
  const isAtOnce = settings.deposit_refunds === 2;
  return isAtOnce ? ((await moveRefund(tx, parts, refund, 'send')) as DepositRefundRow) : refund;
}

/**
 * Holds unspent money of a deposit until it is refunded. Throws not_found, conflict when the deposit cannot be refunded,
 * invalid above the rest of the deposit, and payment_required above the available money.
 */
export const requestRefund = (
  parts: Parts,
  caller: UserCaller,
  depositId: number,
  body: NewDepositRefund,
  once: Once,
): Promise<DepositRefund | Reply> =>
  once(parts.database, async (tx) => publicRefund(await recordRefund(tx, parts, { depositId, user: caller.id, body })));

/** Locks the account of a refund and then the refund; undefined when there is none. */
async function lockWithAccount(tx: Tx, id: number): Promise<DepositRefundRow | undefined> {
  const owner = await store.refundOwner(tx, id);
  if (owner === undefined) return undefined;
  await lockAccounts(tx, [owner]);
  return store.lockRefund(tx, id);
}

/** Cancels a refund for its owner. Throws not_found, and conflict when it was sent or decided. */
export const cancelRefund = (parts: Parts, caller: UserCaller, id: number): Promise<DepositRefundRow> =>
  parts.database.transact(async (tx) => {
    const refund = await lockWithAccount(tx, id);
    assertThat(refund?.user_id === caller.id, refundNotFound);
    if (refund.status === 'canceled') return refund;
    const moved = await moveRefund(tx, parts, refund, 'cancel');
    assertThat(moved, () => cannotMoveRefund(refund.status));
    return moved;
  });

/** Cancels the requested refunds of a deposit, because it is disputed. The account must be locked. */
export async function cancelRequested(tx: Tx, parts: Parts, depositId: number): Promise<void> {
  for (const refund of await store.lockRequested(tx, depositId)) await moveRefund(tx, parts, refund, 'cancel');
}

/**
 * Whether a refund is settled by hand: the provider makes no refunds, or nobody asks it any more. Until then the refund
 * may be under way at the provider.
 */
const isByHand = ({ providers }: Parts, { provider: name, ask_at }: DepositRefundRow) =>
  ask_at === null || !providers.all.find((provider) => provider.name === name)?.refunds;

/** Throws conflict when the provider has made this refund, and it was taken as a dispute. */
async function assertUndisputed(tx: Tx, refund: DepositRefundRow, ref: string | undefined): Promise<void> {
  const isNew = ref !== undefined && ref !== refund.ref;
  assertThat(!isNew || !(await store.isRefOfDispute(tx, refund.provider, ref)), disputedDeposit);
}

/**
 * An administrator's decision on a refund. Repeating the current status changes reference and details only. Throws
 * not_found, and conflict for an impossible move, an unexpected status, or a reference that is a dispute's.
 */
export const decideRefund = (
  parts: Parts,
  admin: AdminCaller,
  id: number,
  { status, details, ref, expected_status: seen }: RefundDecision,
): Promise<DepositRefundRow> =>
  parts.database.transact(async (tx) => {
    const refund = await lockWithAccount(tx, id);
    assertThat(refund, refundNotFound);
    assertThat(seen === undefined || seen === refund.status, () => refundDecidedMeanwhile(refund.status));
    const change = { ref: ref ?? refund.ref, details: details ?? refund.details };
    const isRepeat = status === refund.status;
    assertThat(isRepeat || refund.status !== 'sent' || isByHand(parts, refund), () => cannotMoveRefund('sent'));
    await assertUndisputed(tx, refund, ref);
    if (isRepeat && change.ref === refund.ref && change.details === refund.details) return refund;
    const moved = isRepeat
      ? await store.updateRefund(tx, id, change)
      : await moveRefund(tx, parts, refund, EVENT_OF[status], { ref, details });
    assertThat(moved, () => cannotMoveRefund(refund.status));
    recordAdminAction(tx, admin, {
      action: 'deposit_refund.updated',
      subject: `deposit_refund:${id}`,
      // Without the student's reason, which the deletion of the account erases.
      before: { status: refund.status, ref: refund.ref },
      after: { status: moved.status, ref: moved.ref, ...(details !== undefined && { details }) },
      at: moved.updated_at,
    });
    return moved;
  });
