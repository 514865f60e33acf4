import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Once, Reply } from '@tutoring/shared/kit/http/declare/route';
import { aboveMaximum, callNotFound, nothingToRefund } from '../errors.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/account.ts';
import { post } from '../ledger/ledger-service.ts';
import { lockAccounts } from '../ledger/ledger-store.ts';
import { findPostingsOf } from '../ledger/statement-store.ts';
import type { Parts } from '../parts.ts';
import type { Payment, PaymentRow } from '../payments/payment.ts';
import { insertRefundPayment } from '../payments/payment-store.ts';
import { commissionOfRefund, totalsOf, type CallTotals, type RefundBody } from './refund.ts';

interface RefundRequest {
  caller: AdminCaller;
  body: RefundBody;
}

/** Throws not_found when the call was never charged. */
async function totalsOfCall(reader: Reader, identifier: string): Promise<CallTotals> {
  const totals = totalsOf(await findPostingsOf(reader, identifier));
  assertThat(totals, callNotFound);
  return totals;
}

async function postRefund(
  tx: Tx,
  currency: string,
  identifier: string,
  { caller: admin, body: { amount: wanted, reason } }: RefundRequest,
): Promise<PaymentRow> {
  const parties = await totalsOfCall(tx, identifier);
  await lockAccounts(tx, [parties.student, parties.teacher]);
  const totals = await totalsOfCall(tx, identifier);
  const left = totals.charged - totals.refunded;
  assertThat(wanted !== undefined || left > 0, nothingToRefund);
  const amount = wanted ?? left;
  assertThat(amount <= left, () => aboveMaximum(left));

  const commission = commissionOfRefund(totals, amount);
  const source = `call:${identifier}:refund:${totals.refunds + 1}`;
  const { student, teacher } = totals;
  const { revenue } = SYSTEM_ACCOUNTS;
  // The commission goes back to the teacher first, then the whole amount from the teacher to the student.
  const back = { kind: 'commission_refund' as const, reference: source, amount: commission };
  if (commission > 0) await post(tx, currency, { ...back, debit: revenue, credit: teacher });
  await post(tx, currency, { kind: 'refund', reference: source, debit: teacher, credit: student, amount });
  const side = { source, currency, ref: identifier, details: null };
  const payment = await insertRefundPayment(tx, { ...side, user_id: student, direction: 'in', amount });
  const ofTeacher = amount - commission;
  if (ofTeacher > 0) await insertRefundPayment(tx, { ...side, user_id: teacher, direction: 'out', amount: ofTeacher });
  const refunded = totals.refunded + amount;
  publish(tx, [{ name: 'refunds.changed', data: { identifier, refunded, version: totals.refunds + 1 } }]);
  recordAdminAction(tx, admin, {
    action: 'call.refunded',
    subject: `call:${identifier}`,
    before: { charged: totals.charged, refunded: totals.refunded },
    after: { charged: totals.charged, refunded, ...(reason !== undefined && { reason }) },
    at: payment.created_at,
  });
  return payment;
}

/**
 * Refunds a call to its student, wholly or in part; returns the student's payment. Throws not_found, invalid for more
 * than the rest, and conflict when nothing is left to refund or the teacher's money is no longer available.
 */
export async function refund(
  { database, people, currency }: Parts,
  identifier: string,
  request: RefundRequest,
  once: Once,
): Promise<Payment | Reply> {
  const { student } = await totalsOfCall(database.manager, identifier);
  const user = await people.summaryOf(student);
  return once(database, async (tx) => ({
    ...(await postRefund(tx, currency, identifier, request)),
    user,
  }));
}
