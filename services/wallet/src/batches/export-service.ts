import { randomBytes } from 'node:crypto';
import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { PayoutBatch } from '@tutoring/shared/contract/payout';
import { afterCommit, type Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { Reply } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { CONTACTS_RIGHT, hasRight } from '@tutoring/shared/kit/identity/rights';
import {
  batchEmpty,
  batchIs,
  batchNotFound,
  needsOtherApprover,
  noDebtor,
  noFile,
  noPayoutProvider,
  notYours,
} from '../errors.ts';
import { timeIn } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { showBatch, type BatchRow, type FileFormat } from './batch.ts';
import { announce, lockFor, needsApproval } from './batch-service.ts';
import * as store from './batch-store.ts';
import type { ItemRow } from './item.ts';
import { itemsIn, moveItems } from './item-store.ts';
import { writeFile } from './payout-file.ts';
import { orderPayouts } from './provider-payout-store.ts';

/** Writes and stores the file of a locked batch. */
async function storeFile(tx: Tx, { debtor }: Parts, batch: BatchRow, format: FileFormat, items: ItemRow[]) {
  const { id, currency, note } = batch;
  assertThat(format !== 'pain.001' || debtor, noDebtor);
  const at = await timeIn(tx, 0);
  const { name, bytes, sha256 } = await writeFile(format, { id, currency, note, items, at }, debtor);
  await store.insertFile(tx, id, bytes);
  return { file_name: name, file_bytes: bytes.length, file_sha256: sha256 };
}

/**
 * Keeps the provider and a random key of each payout, before any of them is sent: the job `ask-providers` sends them.
 * Throws conflict when no provider pays one of them any more.
 */
async function orderAll(tx: Tx, { providers, wakeAsking }: Parts, items: ItemRow[]) {
  const orders = items.map(({ id, method, withdrawal_id }) => {
    const provider = providers.forPayout(method);
    assertThat(provider, () => noPayoutProvider(withdrawal_id));
    return { id, provider: provider.name, payout_key: randomBytes(24).toString('base64url') };
  });
  await orderPayouts(tx, orders);
  afterCommit(tx, wakeAsking);
  return {};
}

/**
 * Writes the file of a locked batch, or orders its payouts, and sets its items `sent`, in one transaction: what is sent
 * can never be taken back.
 */
async function send(tx: Tx, parts: Parts, batch: BatchRow, status: BatchRow['status'], admin: AdminCaller) {
  const { id, format } = batch;
  const items = await itemsIn(tx, id, 'waiting');
  assertThat(items.length > 0, batchEmpty);
  const file =
    format === 'provider' ? await orderAll(tx, parts, items) : await storeFile(tx, parts, batch, format, items);
  await moveItems(tx, id, 'waiting', 'sent');
  const sent = await store.updateBatch(tx, id, { status, ...file, changer_name: admin.name }, ['exported_at']);
  announce(tx, sent, { admin, action: 'exported', before: batch });
  return sent;
}

/**
 * Exports an approved batch; a repeat returns the batch. Throws not_found and conflict, also when its maker approved it
 * and another administrator must by now.
 */
export const exportBatch = (parts: Parts, admin: AdminCaller, id: number): Promise<PayoutBatch> =>
  parts.database.transact(async (tx) => {
    const existing = await store.lockBatch(tx, id);
    assertThat(existing, batchNotFound);
    if (existing.exported_at !== null) return showBatch(existing);
    const { batch, status } = await lockFor(tx, id, 'export');
    const isOwn = batch.approver_id === batch.creator_id;
    assertThat(!isOwn || !(await needsApproval(tx, batch)), needsOtherApprover);
    return showBatch(await send(tx, parts, batch, status, admin));
  });

/**
 * The file, always with the same bytes. Each download is in the audit log. Throws forbidden without `contacts`, and
 * conflict when there is none.
 */
export const downloadFile = ({ database }: Parts, admin: AdminCaller, id: number): Promise<Reply> =>
  database.transact(async (tx) => {
    assertThat(hasRight(admin, CONTACTS_RIGHT), notYours);
    const batch = await store.findBatch(tx, id);
    assertThat(batch, batchNotFound);
    assertThat(batch.format !== 'provider', noFile);
    const file = await store.findFile(tx, id);
    assertThat(file, () => batchIs(batch.status));
    const { name, sha256, bytes, at } = file;
    const subject = `payout_batch:${id}`;
    recordAdminAction(tx, admin, {
      ...{ action: 'payout_batch.downloaded', subject, before: null, after: { name, sha256 }, at },
    });
    return new Reply(bytes, {
      headers: {
        'content-disposition': `attachment; filename="${name}"`,
        'content-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
        'x-content-type-options': 'nosniff',
      },
    });
  });
