import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { itemIs, itemNotFound, leavingSuccess, needsOtherApprover } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { moveWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { withdrawalStore } from '../withdrawals/withdrawal-store.ts';
import { announce } from './batch-service.ts';
import { BATCH_MOVES, ITEM_MOVES, mayCheck, WITHDRAWAL_OF } from './batch-move.ts';
import { findBatch, lockStatus, updateBatch } from './batch-store.ts';
import { auditedItem, type ItemRow, type Settlement } from './item.ts';
import { findItem, hasOpenItems, lockItem, updateItem } from './item-store.ts';

/** News of a payout. */
export interface News {
  status: 'paid' | 'failed' | 'uncertain' | 'returned';
  provider_ref?: string | undefined;
  message?: string | undefined;
}

/** Locks an item, after its withdrawal: the order in which everything locks them. */
export async function lockWithWithdrawal(tx: Tx, { id, withdrawal_id }: Pick<ItemRow, 'id' | 'withdrawal_id'>) {
  const [withdrawal, item] = await Promise.all([withdrawalStore.lock(tx, withdrawal_id), lockItem(tx, id)]);
  assertThat(withdrawal && item, itemNotFound);
  return { withdrawal, item };
}

/**
 * Moves a locked item, its withdrawal and its money. Throws conflict for a move that is not in the table. `admin`: who
 * settles it; undefined: the provider.
 */
export async function settleItem(
  tx: Tx,
  { currency }: Pick<Parts, 'currency'>,
  { withdrawal, item }: Awaited<ReturnType<typeof lockWithWithdrawal>>,
  { status: event, provider_ref, message }: News,
  admin?: AdminCaller,
): Promise<ItemRow> {
  const status = ITEM_MOVES[item.status][event];
  assertThat(status, () => itemIs(item.status));
  const decided = WITHDRAWAL_OF[status];
  if (decided !== withdrawal.status) {
    const details = status === 'paid' ? undefined : message;
    await moveWithdrawal(tx, currency, withdrawal, { status: decided, details, ref: provider_ref }, admin);
  }
  const by = { settler_id: admin?.id ?? null, settler_name: admin?.name ?? null };
  const isSettled = status !== 'uncertain';
  const change = {
    status,
    ...(provider_ref !== undefined && { provider_ref }),
    ...(message !== undefined && { message }),
  };
  const settled = await updateItem(tx, item.id, { ...change, ...(isSettled && by) }, isSettled);
  if (isSettled) {
    const details = status === 'paid' ? undefined : message;
    const { user_id, amount } = item;
    const what = `payout_${event as 'paid' | 'failed' | 'returned'}` as const;
    publish(tx, [{ name: 'money.announced', data: { user_id, what, amount, currency, details } }]);
  }
  if (admin)
    recordAdminAction(tx, admin, {
      action: 'payout_item.updated',
      subject: `payout_item:${item.id}`,
      before: auditedItem(item),
      after: auditedItem(settled),
      at: settled.updated_at,
    });
  return settled;
}

/**
 * Closes an exported batch without open items. Call it last: of concurrent transactions the one that locks the batch
 * last sees the items of the others.
 */
export async function closeIfDone(tx: Tx, batchId: number): Promise<boolean> {
  const [before, isOpen] = await Promise.all([lockStatus(tx, batchId), hasOpenItems(tx, batchId)]);
  const status = before && BATCH_MOVES[before].close;
  if (!status || isOpen) return false;
  announce(tx, await updateBatch(tx, batchId, { status }, ['closed_at']));
  return true;
}

/** Whether a repeat of a settlement changes nothing. */
const repeats = (item: ItemRow, { status, provider_ref, message }: Settlement) =>
  item.status === status && item.message === message && (provider_ref ?? item.provider_ref) === item.provider_ref;

/**
 * Settles a payout by hand. Throws not_found, forbidden for `returned` by others than super administrators, and conflict
 * for a move that is not in the table, or by the maker of a batch that needs another administrator.
 */
export const settleByHand = (
  parts: Parts,
  admin: AdminCaller,
  { batchId, itemId }: { batchId: number; itemId: number },
  settlement: Settlement,
): Promise<ItemRow> =>
  parts.database.transact(async (tx) => {
    const batch = await findBatch(tx, batchId);
    const found = batch && (await findItem(tx, batchId, itemId));
    assertThat(found, itemNotFound);
    assertThat(settlement.status !== 'returned' || admin.level === 'su', leavingSuccess);
    assertThat(mayCheck(admin, batch), needsOtherApprover);
    const locked = await lockWithWithdrawal(tx, found);
    if (repeats(locked.item, settlement)) return locked.item;
    const settled = await settleItem(tx, parts, locked, settlement, admin);
    if (!(await closeIfDone(tx, batchId))) announce(tx, (await findBatch(tx, batchId))!);
    return settled;
  });
