import type { ItemStatus } from '@tutoring/shared/contract/payout';
import { pageWindow } from '@tutoring/shared/kit/http/declare/page';
import { dynamic, exists, row, rows, update, value, type Reader, type Tx } from '@tutoring/shared/kit/database/sql';
import type { ItemFilter, ItemRow } from './item.ts';

const COLUMNS = `id, batch_id, withdrawal_id, reference, amount, method, account, holder_name, user_id, status, provider_ref,
  message, settler_id, settler_name, settled_at, created_at, updated_at`;
const SELECT = `select ${COLUMNS} from payout_item`;

/** Puts withdrawals into a batch. Violates payout_item_open when one is in another open batch. */
export const insertItems = (tx: Tx, batchId: number, withdrawalIds: number[]) =>
  rows(
    tx,
    `insert into payout_item (batch_id, withdrawal_id, user_id, amount, method, account, holder_name, created_at, updated_at)
     select $1, id, user_id, amount, method, account, holder_name, at, at
     from withdrawal, (select app_now() as at) n where id = any($2::bigint[]) order by id`,
    [batchId, withdrawalIds],
  );

/** The items of a batch in a status, oldest first. */
export const itemsIn = (reader: Reader, batchId: number, status: ItemStatus) =>
  rows<ItemRow>(reader, `${SELECT} where batch_id = $1 and status = $2 order by id`, [batchId, status]);

/** Moves all items of a batch from one status to another. */
export const moveItems = (tx: Tx, batchId: number, from: ItemStatus, to: ItemStatus) =>
  rows<{ withdrawal_id: number }>(
    tx,
    `update payout_item set status = $3, version = version + 1, updated_at = n.at
     from (select app_now() as at) n where batch_id = $1 and status = $2 returning withdrawal_id`,
    [batchId, from, to],
  );

export const findItem = (reader: Reader, batchId: number, id: number) =>
  row<ItemRow>(reader, `${SELECT} where batch_id = $1 and id = $2`, [batchId, id]);

/** Locked until `tx` ends. Lock the withdrawal first. */
export const lockItem = (tx: Tx, id: number) => row<ItemRow>(tx, `${SELECT} where id = $1 for no key update`, [id]);

/** The paid payout of a locked withdrawal: at most one, because each of its payouts ends before the next is made. */
export const lockPaidItem = (tx: Tx, withdrawalId: number) =>
  row<ItemRow>(tx, `${SELECT} where withdrawal_id = $1 and status = 'paid' for no key update`, [withdrawalId]);

type Change = {
  [Field in 'status' | 'provider_ref' | 'message' | 'settler_id' | 'settler_name']?: ItemRow[Field] | undefined;
};

/** Writes the defined fields. `isSettled`: also sets the time of settling. */
export const updateItem = (tx: Tx, id: number, change: Change, isSettled = false) =>
  update<ItemRow>(
    tx,
    'payout_item',
    { id, returning: COLUMNS, more: isSettled ? ['settled_at = app_now()'] : [] },
    change,
  );

const OPEN = `status in ('waiting', 'sent', 'uncertain')`;

export const hasOpenItems = (reader: Reader, batchId: number) =>
  exists(reader, `select from payout_item where batch_id = $1 and ${OPEN}`, [batchId]);

/** A page of the items of a batch. */
export async function pageOfItems(reader: Reader, batchId: number, filter: ItemFilter) {
  const { limit, offset, order } = pageWindow(filter);
  const where = 'where batch_id = $1 and ($2::text is null or status = $2)';
  const values = [batchId, filter.status ?? null];
  const total = await value<number>(reader, `select count(*) as items from payout_item ${where}`, values);
  const page = dynamic(`${SELECT} ${where} order by id ${order} limit ${limit} offset ${offset}`);
  return { items: await rows<ItemRow>(reader, page, values), total };
}

/** The items of a batch by reference. */
export const itemsByReference = async (reader: Reader, batchId: number) =>
  new Map(
    (await rows<ItemRow>(reader, `${SELECT} where batch_id = $1`, [batchId])).map((item) => [item.reference, item]),
  );

/** Of a deleted user only the last characters of the payout account stay. */
export const shortenAccounts = (tx: Tx, userId: number) =>
  rows(tx, 'update payout_item set account = right(account, 4), holder_name = null where user_id = $1', [userId]);
