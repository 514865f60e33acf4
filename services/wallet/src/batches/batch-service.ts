import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { PayoutBatch } from '@tutoring/shared/contract/payout';
import { publish } from '@tutoring/shared/contract/publish';
import { readSettings } from '@tutoring/shared/contract/setting-copies';
import type { Reader, Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { Once, Reply } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { sentences, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import {
  batchEmpty,
  batchIs,
  batchNotFound,
  cannotTake,
  changedMeanwhile,
  itemIs,
  itemNotFound,
  needsOtherApprover,
  noDebtor,
  noPayoutProvider,
  noStoredAccount,
  onlyIbans,
} from '../errors.ts';
import type { Parts } from '../parts.ts';
import { isSafeInCell } from '../payout-methods/account-number.ts';
import { publishRecords } from '../records/record-service.ts';
import { texts } from '../texts.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { claimWithdrawals, findWithdrawals, lockWithdrawals, withdrawalKind } from '../withdrawals/withdrawal-store.ts';
import { auditedBatch, showBatch, totalOf, type BatchRow, type Expected, type NewBatch } from './batch.ts';
import { BATCH_MOVES, exclusionOf, ITEM_MOVES, mayCheck, needsChecker, type BatchEvent } from './batch-move.ts';
import * as store from './batch-store.ts';
import { findItem, insertItems, itemsIn, moveItems, updateItem } from './item-store.ts';

/** The 422s of a list of withdrawals: repeated and unknown ids. */
export async function idRules(reader: Reader, ids: (number | undefined)[] = []): Promise<RuleViolation[]> {
  const given = ids.filter((id) => id !== undefined);
  const known = new Set((await store.knownWithdrawals(reader, given)).map(({ id }) => id));
  return ids.flatMap((id, index): RuleViolation[] => {
    if (id === undefined) return [];
    if (ids.indexOf(id) !== index) return [[['withdrawal_ids', index], texts.repeatedValue]];
    return known.has(id) ? [] : [[['withdrawal_ids', index], sentences.selected]];
  });
}

/** Every text of a withdrawal that comes into a file. */
const isSafe = ({ method, account, holder_name }: WithdrawalRow) =>
  [method, account, holder_name].every((text) => isSafeInCell(text ?? ''));

type Judged = WithdrawalRow & store.Candidate & { reason: ReturnType<typeof exclusionOf> };

/** What stands against each withdrawal, in the order of `ids`. */
async function judge(reader: Reader, ids: number[], withdrawals: WithdrawalRow[]): Promise<Judged[]> {
  const candidates = new Map((await store.findCandidates(reader, ids)).map((one) => [one.id, one]));
  const found = new Map(withdrawals.map((one) => [one.id, one]));
  return ids.map((id) => {
    const [withdrawal, candidate] = [found.get(id)!, candidates.get(id)!];
    const { is_banned: isBanned, is_usable } = candidate;
    const isUsable = is_usable && isSafe(withdrawal);
    return { ...withdrawal, ...candidate, reason: exclusionOf({ status: withdrawal.status, isBanned, isUsable }) };
  });
}

/** What a batch of these withdrawals would be. Changes nothing. */
export async function previewBatch({ database: { manager } }: Parts, ids: number[]) {
  const judged = await judge(manager, ids, await findWithdrawals(manager, ids));
  const payable = judged.filter(({ reason }) => reason === undefined);
  return {
    count: payable.length,
    amount: payable.reduce((total, { amount }) => total + amount, 0),
    excluded: judged.flatMap(({ id: withdrawal_id, reason }) => (reason ? [{ withdrawal_id, reason }] : [])),
    warnings: payable.flatMap(({ id: withdrawal_id, is_first, is_shared }) => [
      ...(is_first ? [{ withdrawal_id, code: 'first_payout' as const }] : []),
      ...(is_shared ? [{ withdrawal_id, code: 'same_account_as_another' as const }] : []),
    ]),
  };
}

/** Publishes a changed batch, and records who changed it. */
export function announce(tx: Tx, row: BatchRow, by?: { admin: AdminCaller; action: string; before: BatchRow | null }) {
  publish(tx, [{ to: 'admins', event: 'payout.batch', data: showBatch(row) }]);
  if (!by) return;
  recordAdminAction(tx, by.admin, {
    action: `payout_batch.${by.action}`,
    subject: `payout_batch:${row.id}`,
    before: by.before && auditedBatch(by.before),
    after: auditedBatch(row),
    at: row.updated_at,
  });
}

/** Throws conflict unless payment providers can pay every withdrawal. */
function assertPayable({ providers }: Parts, withdrawals: WithdrawalRow[]): void {
  for (const { id, holder_name, method, account } of withdrawals) {
    assertThat(holder_name !== null, () => noStoredAccount(id));
    const payouts = providers.forPayout(method)?.payouts;
    assertThat(payouts && (payouts.pays?.(account ?? '') ?? true), () => noPayoutProvider(id));
  }
}

/** Throws conflict unless every withdrawal can be paid in this format. */
function assertFormat(parts: Parts, format: NewBatch['format'], withdrawals: WithdrawalRow[]): void {
  if (format === 'provider') assertPayable(parts, withdrawals);
  if (format !== 'pain.001') return;
  assertThat(parts.debtor, noDebtor);
  assertThat(
    withdrawals.every(({ account_kind, holder_name }) => account_kind === 'iban' && holder_name !== null),
    onlyIbans,
  );
}

/**
 * Claims all withdrawals and puts them into a new batch, or none. Throws conflict, which names the first that cannot be
 * taken. The withdrawals are locked, and an index decides that each is in one open batch.
 */
export const createBatch = (
  parts: Parts,
  admin: AdminCaller,
  { withdrawal_ids: ids, format, note }: NewBatch,
  once: Once,
): Promise<PayoutBatch | Reply> =>
  once(parts.database, async (tx) => {
    const withdrawals = await lockWithdrawals(tx, ids);
    const refused = (await judge(tx, ids, withdrawals)).find(({ reason }) => reason !== undefined);
    if (refused?.reason) throw cannotTake(refused.id, refused.reason);
    assertFormat(parts, format, withdrawals);
    const amount = withdrawals.reduce((total, one) => total + one.amount, 0);
    const { payout_checker_from: checkerFrom } = await readSettings(tx, ['payout_checker_from']);
    const { id } = await store.insertBatch(tx, {
      ...{
        status: 'draft',
        format,
        note: note ?? null,
        currency: parts.currency,
        needs_approval: needsChecker(amount, checkerFrom),
      },
      ...{ creator_id: admin.id, creator_name: admin.name, changer_name: admin.name },
    });
    await insertItems(tx, id, ids);
    await publishRecords(tx, withdrawalKind, await claimWithdrawals(tx, ids, admin));
    const made = (await store.findBatch(tx, id))!;
    announce(tx, made, { admin, action: 'created', before: null });
    return showBatch(made);
  });

/** Locks a batch for an event of the table. Throws not_found and conflict. */
export async function lockFor(tx: Tx, id: number, event: BatchEvent, { expected_version }: Expected = {}) {
  const batch = await store.lockBatch(tx, id);
  assertThat(batch, batchNotFound);
  const isExpected = expected_version === undefined || expected_version === batch.version;
  assertThat(isExpected, () => changedMeanwhile(batch.changer_name ?? batch.creator_name));
  const status = BATCH_MOVES[batch.status][event];
  assertThat(status, () => batchIs(batch.status));
  return { batch, status };
}

/** Whether a batch needs another administrator: as when it was made, or by the setting of now. */
export async function needsApproval(tx: Tx, { needs_approval, items }: BatchRow): Promise<boolean> {
  const { payout_checker_from: checkerFrom } = await readSettings(tx, ['payout_checker_from']);
  return needs_approval || needsChecker(totalOf(items).amount, checkerFrom);
}

/** Approves a draft. Throws conflict when another administrator must, whatever the setting was when it was made. */
export const approveBatch = ({ database }: Parts, admin: AdminCaller, id: number, expected: Expected) =>
  database.transact(async (tx) => {
    const { batch, status } = await lockFor(tx, id, 'approve', expected);
    assertThat(totalOf(batch.items).count > 0, batchEmpty);
    const needs_approval = await needsApproval(tx, batch);
    assertThat(mayCheck(admin, { ...batch, needs_approval }), needsOtherApprover);
    const by = { approver_id: admin.id, approver_name: admin.name, changer_name: admin.name };
    const approved = await store.updateBatch(tx, id, { status, needs_approval, ...by }, ['approved_at']);
    announce(tx, approved, { admin, action: 'approved', before: batch });
    return showBatch(approved);
  });

/** Gives withdrawals back to the list of those that wait. */
const giveBack = async (tx: Tx, ids: number[]) => {
  await lockWithdrawals(tx, ids);
  await publishRecords(tx, withdrawalKind, await claimWithdrawals(tx, ids));
};

/** Cancels a batch that was not exported, and gives its withdrawals back. */
export const cancelBatch = ({ database }: Parts, admin: AdminCaller, id: number, expected: Expected) =>
  database.transact(async (tx) => {
    const { batch, status } = await lockFor(tx, id, 'cancel', expected);
    const waiting = await itemsIn(tx, id, 'waiting');
    await giveBack(
      tx,
      waiting.map((item) => item.withdrawal_id),
    );
    await moveItems(tx, id, 'waiting', 'removed');
    const canceled = await store.updateBatch(tx, id, { status, changer_name: admin.name });
    announce(tx, canceled, { admin, action: 'canceled', before: batch });
    return showBatch(canceled);
  });

/** Takes an item out of a draft, and gives its withdrawal back. The version of the batch changes with its items. */
export const removeItem = ({ database }: Parts, admin: AdminCaller, id: number, itemId: number): Promise<void> =>
  database.transact(async (tx) => {
    const batch = await store.lockBatch(tx, id);
    assertThat(batch, batchNotFound);
    // Its status changes only while the batch is locked.
    const item = await findItem(tx, id, itemId);
    assertThat(item, itemNotFound);
    assertThat(batch.status === 'draft', () => batchIs(batch.status));
    const status = ITEM_MOVES[item.status].remove;
    assertThat(status, () => itemIs(item.status));
    await giveBack(tx, [item.withdrawal_id]);
    await updateItem(tx, itemId, { status });
    const left = await store.updateBatch(tx, id, { changer_name: admin.name });
    announce(tx, left, { admin, action: 'item_removed', before: batch });
  });
