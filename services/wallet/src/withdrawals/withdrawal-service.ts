import type { UserCaller } from '@tutoring/shared/identity/auth';
import type { Tx } from '@tutoring/shared/database/open';
import { assertThat, type AppError } from '@tutoring/shared/errors';
import type { Actor } from '@tutoring/shared/events/publish/admin-action';
import type { IdempotentRequest } from '@tutoring/shared/http/serve/idempotency';
import type { Reply } from '@tutoring/shared/http/declare/route';
import { readSettings } from '@tutoring/shared/internal/setting-copies';
import {
  accountClosed,
  belowMinimum,
  cannotCancel,
  insufficientFunds,
  leavingSuccess,
  moneyGone,
  userBanned,
  withdrawalNotFound,
} from '../errors.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import * as holds from '../holds/hold-service.ts';
import { post } from '../ledger/ledger-service.ts';
import type { Parts } from '../parts.ts';
import { changeRecord, decisions, publishRecord, transactOnce } from '../records/record-service.ts';
import type { Decision } from '../records/record.ts';
import {
  moversOf,
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
  { refusal, evenClosed = false }: { refusal: () => AppError; evenClosed?: boolean },
): Promise<void> {
  const wanted = { reference: holdReference(of), user: of.user_id, amount: of.amount, seconds: null, evenClosed };
  const placed = await holds.place(tx, currency, wanted);
  assertThat(placed.verdict !== 'closed', accountClosed);
  assertThat(placed.verdict === 'done', refusal);
}

/** Takes one step and raises the counters of the locked `withdrawal`. Throws conflict when the money is gone. */
async function applyStep(tx: Tx, currency: string, step: LedgerStep, withdrawal: WithdrawalRow): Promise<void> {
  const { user_id: user, amount } = withdrawal;
  const payouts = SYSTEM_ACCOUNTS.payouts;
  const reference = () => `withdrawal:${withdrawal.id}:${withdrawal.entries}`;
  if (step === 'hold') {
    withdrawal.holds += 1;
    // Only administrators decide so: a payout that came back may be made again after its owner has left.
    await placeHold(tx, currency, withdrawal, { refusal: moneyGone, evenClosed: true });
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

async function move(
  tx: Tx,
  currency: string,
  withdrawal: WithdrawalRow,
  decision: Decision,
  admin?: Actor,
): Promise<WithdrawalRow> {
  const moving = { ...withdrawal };
  for (const step of withdrawalSteps(withdrawal.status, decision.status)) await applyStep(tx, currency, step, moving);
  const { status, details, ref } = decision;
  const { change: movers, now } = moversOf(withdrawal.status, status, admin);
  const change = { status, holds: moving.holds, entries: moving.entries, details, ref, ...movers };
  const at = now.map((time) => `${time} = app_now()`);
  return changeRecord(tx, withdrawalKind, withdrawal.id, change, at);
}

/** Holds the amount. Throws payment_required, forbidden when banned, conflict while the account is closing. */
export async function createWithdrawal(
  { database, people, currency }: Parts,
  asked: IdempotentRequest<NewWithdrawal, UserCaller>,
): Promise<Withdrawal | Reply> {
  const { caller, body } = asked;
  const user = await people.summaryOf(caller.id);
  return transactOnce(database, asked, async (tx) => {
    const { min_withdrawal: minimum } = await readSettings(tx, ['min_withdrawal']);
    assertThat(body.amount >= minimum, () => belowMinimum(minimum));
    assertThat(!(await people.isBanned(tx, caller.id)), userBanned);
    const withdrawal = await withdrawalStore.insert(tx, { ...body, user_id: caller.id, currency, holds: 1 });
    await placeHold(tx, currency, withdrawal, { refusal: insufficientFunds });
    await publishRecord(tx, withdrawalKind, withdrawal);
    return { ...publicWithdrawal(withdrawal), user };
  });
}

/** By its owner, while no administrator has claimed it. Throws not_found and conflict. */
export const cancelWithdrawal = (
  { database, currency }: Parts,
  caller: UserCaller,
  id: number,
): Promise<WithdrawalRow> =>
  database.transact(async (tx) => {
    const withdrawal = await withdrawalStore.lockOf(tx, id, caller.id);
    assertThat(withdrawal, withdrawalNotFound);
    if (withdrawal.status === 'canceled') return withdrawal;
    assertThat(withdrawal.status === 'initiated', () => cannotCancel(withdrawal.status));
    return move(tx, currency, withdrawal, { status: 'canceled' });
  });

/**
 * An administrator's decision on a withdrawal. Throws as `decisions`, conflict when the money to hold is not
 * available, and forbidden when anybody but a super administrator takes it out of success.
 */
export const decideWithdrawal = ({ database, currency }: Parts) =>
  decisions(database, withdrawalKind, (tx, withdrawal, decision, admin) => {
    const leaves = withdrawal.status === 'success' && decision.status !== 'success';
    assertThat(!leaves || admin.level === 'su', leavingSuccess);
    return move(tx, currency, withdrawal, decision, admin);
  });
