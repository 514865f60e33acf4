import type { UserCaller } from '@tutoring/shared/kit/identity/auth';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat, type AppError } from '@tutoring/shared/kit/errors';
import type { Actor } from '@tutoring/shared/contract/admin-action';
import type { Once, Reply } from '@tutoring/shared/kit/http/declare/route';
import { sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import {
  accountClosed,
  belowMinimum,
  cannotCancel,
  insufficientFunds,
  moneyGone,
  userBanned,
  withdrawalNotFound,
} from '../errors.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import * as holds from '../holds/hold-service.ts';
import { post } from '../ledger/ledger-service.ts';
import type { Parts } from '../parts.ts';
import { useAccount } from '../payout-accounts/payout-account-service.ts';
import { changeRecord, publishRecord } from '../records/record-service.ts';
import type { Decision } from '../records/record.ts';
import {
  moverFields,
  publicWithdrawal,
  withdrawalSteps,
  type LedgerStep,
  type NewWithdrawal,
  type Withdrawal,
  type WithdrawalRow,
} from './withdrawal.ts';
import { withdrawalKind, withdrawalStore } from './withdrawal-store.ts';

const holdReference = (withdrawal: { id: number; holds: number }) =>
  `withdrawal:${withdrawal.id}:hold:${withdrawal.holds}`;

async function placeHold(
  tx: Tx,
  currency: string,
  of: WithdrawalRow,
  { refusal, allowClosed = false }: { refusal: () => AppError; allowClosed?: boolean },
): Promise<void> {
  const wanted = { reference: holdReference(of), user: of.user_id, amount: of.amount, seconds: null, allowClosed };
  const placed = await holds.place(tx, currency, wanted);
  assertThat(placed.verdict !== 'closed', accountClosed);
  assertThat(placed.verdict === 'done', refusal);
}

/** Runs one ledger step of a locked withdrawal and raises its counters. Throws conflict when the money is gone. */
async function applyStep(tx: Tx, currency: string, step: LedgerStep, withdrawal: WithdrawalRow): Promise<void> {
  const { user_id: user, amount } = withdrawal;
  const payouts = SYSTEM_ACCOUNTS.payouts;
  const reference = () => `withdrawal:${withdrawal.id}:${withdrawal.entries}`;
  if (step === 'hold') {
    withdrawal.holds += 1;
    // Only administrators get here: a returned payout may be repeated after its owner's account was closed.
    await placeHold(tx, currency, withdrawal, { refusal: moneyGone, allowClosed: true });
  } else if (step === 'release') await holds.release(tx, currency, holdReference(withdrawal));
  else if (step === 'capture') {
    withdrawal.entries += 1;
    const posting = { kind: 'withdrawal' as const, reference: reference(), credit: payouts };
    const captured = await holds.capture(tx, currency, holdReference(withdrawal), posting);
    if (captured !== amount) throw new Error(`withdrawal ${withdrawal.id} held ${captured} instead of ${amount}`);
  } else {
    const posting = { kind: 'withdrawal_reversal' as const, reference: reference() };
    await post(tx, currency, { ...posting, debit: payouts, credit: user, amount });
  }
}

/** Moves a locked withdrawal, with its money. */
export async function moveWithdrawal(
  tx: Tx,
  currency: string,
  withdrawal: WithdrawalRow,
  decision: Decision,
  admin?: Actor,
): Promise<WithdrawalRow> {
  const moving = { ...withdrawal };
  for (const step of withdrawalSteps(withdrawal.status, decision.status)) await applyStep(tx, currency, step, moving);
  const { status, details, ref } = decision;
  const { change: movers, now } = moverFields(withdrawal.status, status, admin);
  const change = { status, holds: moving.holds, entries: moving.entries, details, ref, ...movers };
  const at = now.map((time) => `${time} = app_now()`);
  return changeRecord(tx, withdrawalKind, withdrawal.id, change, at);
}

/** The fields of a new withdrawal: to a stored payout account, or in the old form. */
async function targetOf(tx: Tx, userId: number, { payout_account_id: id, ...old }: NewWithdrawal) {
  if (id === undefined) return { amount: old.amount, method: old.method ?? null, account: old.account ?? null };
  const { method, kind, account, holder_name } = await useAccount(tx, userId, id);
  return { amount: old.amount, method, account, payout_account_id: id, account_kind: kind, holder_name };
}

/** Which fields say where a new withdrawal goes. */
export async function targetRules({ database }: Parts, fields: ValidFields<NewWithdrawal>): Promise<RuleViolation[]> {
  const { payout_account_id: id, method, account } = fields;
  const isInvalid = !('payout_account_id' in fields);
  if (id !== undefined || isInvalid) return [];
  const { require_payout_account: isRequired } = await readSettings(database.manager, ['require_payout_account']);
  if (isRequired === 1) return [[['payout_account_id'], sentences.required]];
  const missing = Object.entries({ method, account }).filter(([, given]) => given === undefined);
  return missing.map(([name]) => [[name], sentences.required]);
}

/**
 * Creates a withdrawal and holds its amount. Throws invalid, payment_required, forbidden when the user is banned, and
 * conflict when the account is closing or closed, or before the payout account can be used.
 */
export async function createWithdrawal(
  { database, people, currency }: Parts,
  caller: UserCaller,
  body: NewWithdrawal,
  once: Once,
): Promise<Withdrawal | Reply> {
  const user = await people.summaryOf(caller.id);
  return once(database, async (tx) => {
    const { min_withdrawal: minimum } = await readSettings(tx, ['min_withdrawal']);
    assertThat(body.amount >= minimum, () => belowMinimum(minimum));
    assertThat(!(await people.isBanned(tx, caller.id)), userBanned);
    const target = await targetOf(tx, caller.id, body);
    const withdrawal = await withdrawalStore.insert(tx, { ...target, user_id: caller.id, currency, holds: 1 });
    await placeHold(tx, currency, withdrawal, { refusal: insufficientFunds });
    await publishRecord(tx, withdrawalKind, withdrawal);
    return { ...publicWithdrawal(withdrawal), user };
  });
}

/**
 * Cancels a withdrawal for its owner. Throws not_found, and conflict when an administrator has claimed or decided it.
 */
export const cancelWithdrawal = (
  { database, currency }: Parts,
  caller: UserCaller,
  id: number,
): Promise<WithdrawalRow> =>
  database.transact(async (tx) => {
    const withdrawal = await withdrawalStore.lockOwn(tx, id, caller.id);
    assertThat(withdrawal, withdrawalNotFound);
    if (withdrawal.status === 'canceled') return withdrawal;
    assertThat(withdrawal.status === 'initiated', () => cannotCancel(withdrawal.status));
    return moveWithdrawal(tx, currency, withdrawal, { status: 'canceled' });
  });
