import { recordAdminAction } from '@tutoring/shared/contract/admin-action';
import type { PayoutBatch } from '@tutoring/shared/contract/payout';
import type { Tx } from '@tutoring/shared/kit/database/open';
import { assertThat } from '@tutoring/shared/kit/errors';
import { Reply } from '@tutoring/shared/kit/http/declare/route';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import { CONTACTS_RIGHT, hasRight } from '@tutoring/shared/kit/identity/rights';
import { batchEmpty, batchIs, batchNotFound, needsOtherApprover, noDebtor, notYours } from '../errors.ts';
import { timeIn } from '../ledger/ledger-store.ts';
import type { Parts } from '../parts.ts';
import { showBatch, type BatchRow, type FileFormat } from './batch.ts';
import { announce, lockFor, needsApproval } from './batch-service.ts';
import * as store from './batch-store.ts';
import { itemsIn, moveItems } from './item-store.ts';
import { writeFile } from './payout-file.ts';

/** Writes the file of a locked batch and sets its items `sent`, in one transaction: what is sent can never be taken back. */
async function send(tx: Tx, { debtor }: Parts, batch: BatchRow, status: BatchRow['status'], admin: AdminCaller) {
  const { id, currency, note, format } = batch;
  const items = await itemsIn(tx, id, 'waiting');
  assertThat(items.length > 0, batchEmpty);
  assertThat(format !== 'pain.001' || debtor, noDebtor);
  const at = await timeIn(tx, 0);
  const { name, bytes, sha256 } = await writeFile(format as FileFormat, { id, currency, note, items, at }, debtor);
  await store.insertFile(tx, id, bytes);
  await moveItems(tx, id, 'waiting', 'sent');
  const file = { file_name: name, file_bytes: bytes.length, file_sha256: sha256 };
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
    if (existing.file_name !== null) return showBatch(existing);
    const { batch, status } = await lockFor(tx, id, 'export');
    const isOwn = batch.approver_id === batch.creator_id;
    assertThat(!isOwn || !(await needsApproval(tx, batch)), needsOtherApprover);
    return showBatch(await send(tx, parts, batch, status, admin));
  });

/** The file, always with the same bytes. Each download is in the audit log. Throws forbidden without `contacts`. */
export const downloadFile = ({ database }: Parts, admin: AdminCaller, id: number): Promise<Reply> =>
  database.transact(async (tx) => {
    assertThat(hasRight(admin, CONTACTS_RIGHT), notYours);
    const batch = await store.findBatch(tx, id);
    assertThat(batch, batchNotFound);
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
