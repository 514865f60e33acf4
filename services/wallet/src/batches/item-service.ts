import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import { publish } from '@tutoring/shared/contract/publish';
import type { Tx } from '@tutoring/shared/kit/database/open';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { inBatch } from '../errors.ts';
import type { Decision } from '../records/record.ts';
import type { WithdrawalRow } from '../withdrawals/withdrawal.ts';
import { announce } from './batch-service.ts';
import { WITHDRAWAL_OF } from './batch-move.ts';
import { findBatch } from './batch-store.ts';
import { auditedItem, type ItemRow } from './item.ts';
import { lockPaidItem, updateItem } from './item-store.ts';

/** News of a payout. */
export interface News {
  status: 'paid' | 'failed' | 'uncertain' | 'returned';
  provider_ref?: string | undefined;
  message?: string | undefined;
}

/** What the owner reads about a payout: of one that failed, else its earlier message. */
export function detailsOf(item: ItemRow, { status, message }: News): string | undefined {
  if (status === 'paid') return undefined;
  return status === 'failed' ? (message ?? item.message ?? undefined) : message;
}

/**
 * Writes news of a locked item, tells its owner and records who brought them; moves no money. `admin` undefined: the
 * provider.
 */
export async function writeNews(tx: Tx, currency: string, item: ItemRow, news: News, admin?: AdminCaller) {
  const { status, provider_ref, message } = news;
  const by = { settler_id: admin?.id ?? null, settler_name: admin?.name ?? null };
  const change = { status, provider_ref, message };
  const isSettled = status !== 'uncertain';
  const written = await updateItem(tx, item.id, { ...change, ...(isSettled && by) }, isSettled);
  if (isSettled) {
    const { user_id, amount } = item;
    const details = detailsOf(item, news);
    publish(tx, [{ name: 'money.announced', data: { user_id, what: `payout_${status}`, amount, currency, details } }]);
  }
  if (admin)
    recordAdminAction(tx, admin, {
      action: 'payout_item.updated',
      subject: `payout_item:${item.id}`,
      before: auditedItem(item),
      after: auditedItem(written),
      at: written.updated_at,
    });
  return written;
}

/**
 * A locked withdrawal is taken out of `success`: its payout by a batch, if any, has come back. Throws conflict for a
 * decision other than `failed`: money that a bank paid is not held again before it has come back.
 */
export async function writeReturn(
  tx: Tx,
  currency: string,
  { id }: WithdrawalRow,
  { status, details }: Decision,
  admin: AdminCaller,
): Promise<void> {
  const item = await lockPaidItem(tx, id);
  if (!item) return;
  if (status !== WITHDRAWAL_OF.returned) throw inBatch(item.batch_id);
  await writeNews(tx, currency, item, { status: 'returned', message: details }, admin);
  announce(tx, (await findBatch(tx, item.batch_id))!);
}
