import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { batchNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { batchFilter, expectedVersion, newBatch, payoutBatch, previewBody, previewSchema, showBatch } from './batch.ts';
import { approveBatch, cancelBatch, createBatch, idRules, previewBatch } from './batch-service.ts';
import { createBatchList, findBatch } from './batch-store.ts';
import { downloadFile, exportBatch } from './export-service.ts';

const BATCHES = '/api/admin/payout-batches';
const BATCH = `${BATCHES}/{id}`;
const about = { params: z.object({ id: pathId() }), notFound: batchNotFound };

const readRoutes = ({ database, publicUrl }: Parts) => {
  const listBatches = createBatchList();
  return [
    listRoute('post /api/admin/payout-batchesall', {
      summary: 'Batches of payouts, newest first',
      description:
        'For administrators. Paged. `filter_value` searches the note, or is an exact id; `from` and `to` are days of ' +
        'creation, both included.',
      auth: 'admin',
      right: 'money',
      body: batchFilter,
      item: payoutBatch,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listBatches(database.standby.manager, filter, window);
        return { items: items.map(showBatch), total };
      },
    }),
    route(`get ${BATCH}`, {
      summary: 'One batch of payouts',
      description: 'For administrators. `count` and `amount` are without removed items.',
      auth: 'admin',
      right: 'money',
      ...about,
      response: payoutBatch,
      handle: async ({ params: { id } }) => {
        const batch = await findBatch(database.manager, id);
        return batch && showBatch(batch);
      },
    }),
  ];
};

export const batchRoutes = (parts: Parts) => [
  // Before `/{id}`: the first match wins.
  route(`post ${BATCHES}/preview`, {
    summary: 'What a batch of these withdrawals would be',
    description:
      'For administrators. Changes nothing. `excluded` are the withdrawals that a batch cannot take, with the reason; ' +
      '`warnings` are about the others.',
    auth: 'admin',
    right: 'payout',
    body: previewBody,
    rules: ({ fields }) => idRules(parts.database.manager, fields.withdrawal_ids),
    response: previewSchema,
    handle: ({ body }) => previewBatch(parts, body.withdrawal_ids),
  }),
  ...readRoutes(parts),
  route(`post ${BATCHES}`, {
    summary: 'Make a batch of payouts',
    description:
      'For administrators. Claims 1 to 1,000 withdrawals for the caller, all or none: 409 for the first that cannot be ' +
      'taken, 422 for a repeated or unknown id. `pain.001` is for payouts to an IBAN, `provider` for payouts to a stored ' +
      'account whose method a payment provider pays (409). From the setting `payout_checker_from` on, another ' +
      'administrator must approve it.',
    auth: 'admin',
    right: 'payout',
    idempotent: true,
    body: newBatch,
    rules: ({ fields }) => idRules(parts.database.manager, fields.withdrawal_ids),
    response: payoutBatch,
    errors: ['conflict'],
    handle: ({ caller, body, once }) => createBatch(parts, caller, body, once),
  }),
  route(`post ${BATCH}/approve`, {
    summary: 'Approve a batch of payouts',
    description:
      'For administrators. A draft becomes `approved`. 409 for the own batch while `needs_approval`, for super ' +
      'administrators too, and when the batch has another version than `expected_version`.',
    auth: 'admin',
    right: 'approve',
    ...about,
    body: expectedVersion,
    response: payoutBatch,
    errors: ['conflict'],
    handle: ({ caller, params: { id }, body }) => approveBatch(parts, caller, id, body),
  }),
  route(`post ${BATCH}/cancel`, {
    summary: 'Cancel a batch of payouts',
    description: 'For administrators. Before the export. Its withdrawals wait for an administrator again.',
    auth: 'admin',
    right: 'payout',
    ...about,
    body: expectedVersion,
    response: payoutBatch,
    errors: ['conflict'],
    handle: ({ caller, params: { id }, body }) => cancelBatch(parts, caller, id, body),
  }),
  route(`post ${BATCH}/export`, {
    summary: 'Write the file of a batch, or send its payouts',
    description:
      'For administrators. Writes the file of an approved batch once and sets its items `sent`; a repeat returns the ' +
      'batch and changes nothing. With the format `provider` there is no file: the payouts are sent to their payment ' +
      'providers in the background, each once, and the providers are asked what became of them. 409 when its maker ' +
      'approved it and another administrator must by now.',
    auth: 'admin',
    right: 'payout',
    ...about,
    response: payoutBatch,
    errors: ['conflict'],
    handle: ({ caller, params: { id } }) => exportBatch(parts, caller, id),
  }),
  route(`get ${BATCH}/file`, {
    summary: 'Download the file of a batch',
    description:
      'For administrators, who also need the right `contacts`. Always the same bytes, without the envelope, with their ' +
      '`Content-Digest`. Each download is in the audit log. 409 before the export, and for the format `provider`.',
    auth: 'admin',
    right: 'payout',
    ...about,
    response: z.instanceof(Uint8Array).meta({ override: { type: 'string', format: 'binary' } }),
    produces: 'application/octet-stream',
    errors: ['conflict'],
    handle: ({ caller, params: { id } }) => downloadFile(parts, caller, id),
  }),
];
