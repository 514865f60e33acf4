import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { itemIs, itemNotFound, itemUnderWay, leavingSuccess, needsOtherApprover } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { moveWithdrawal } from '../withdrawals/withdrawal-service.ts';
import { withdrawalStore } from '../withdrawals/withdrawal-store.ts';
import { announce } from './batch-service.ts';
import { BATCH_MOVES, ITEM_MOVES, mayCheck, WITHDRAWAL_OF } from './batch-move.ts';
import { findBatch, lockStatus, updateBatch } from './batch-store.ts';
import type { ItemRow, Settlement } from './item.ts';
import { findItem, hasOpenItems, lockItem } from './item-store.ts';
import { detailsOf, writeNews, type News } from './item-service.ts';
import { isUnderWay } from './provider-payout-store.ts';

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
  news: News,
  admin?: AdminCaller,
): Promise<ItemRow> {
  const status = ITEM_MOVES[item.status][news.status];
  assertThat(status, () => itemIs(item.status));
  const decided = WITHDRAWAL_OF[status];
  if (decided !== withdrawal.status) {
    const ref = news.provider_ref ?? item.provider_ref ?? undefined;
    await moveWithdrawal(tx, currency, withdrawal, { status: decided, details: detailsOf(item, news), ref }, admin);
  }
  return writeNews(tx, currency, item, news, admin);
}

/**
 * Closes an exported batch without open items. Call it last: of concurrent transactions the one that locks the batch
 * last sees the items of the others.
 */
export async function closeIfDone(tx: Tx, batchId: number, { name }: Pick<AdminCaller, 'name'>): Promise<boolean> {
  const [before, isOpen] = await Promise.all([lockStatus(tx, batchId), hasOpenItems(tx, batchId)]);
  const status = before && BATCH_MOVES[before].close;
  if (!status || isOpen) return false;
  announce(tx, await updateBatch(tx, batchId, { status, changer_name: name }, ['closed_at']));
  return true;
}

/** The names of the providers that pay out here. */
export const payers = ({ providers }: Pick<Parts, 'providers'>): string[] =>
  providers.all.filter(({ payouts }) => payouts !== undefined).map(({ name }) => name);

/** Whether a repeat of a settlement changes nothing. */
const repeats = (item: ItemRow, { status, provider_ref, message }: Settlement) =>
  item.status === status && item.message === message && (provider_ref ?? item.provider_ref) === item.provider_ref;

/**
 * Settles a payout by hand. Throws not_found, forbidden for `returned` by others than super administrators, and conflict
 * for a move that is not in the table, by the maker of a batch that needs another administrator, or while a payment
 * provider may be paying it.
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
    assertThat(!(await isUnderWay(tx, itemId, payers(parts))), itemUnderWay);
    const settled = await settleItem(tx, parts, locked, settlement, admin);
    if (!(await closeIfDone(tx, batchId, admin))) announce(tx, (await findBatch(tx, batchId))!);
    return settled;
  });
