import { z } from 'zod';
import { confirmation, pathId } from '@tutoring/shared/kit/http/declare/fields';
import { pageOf, pageWindow, paginate } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { batchNotFound, itemNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';
import { removeItem } from './batch-service.ts';
import { findBatch } from './batch-store.ts';
import { itemFilter, itemSchema, settlement, showItem, type ItemFilter, type ItemRow } from './item.ts';
import { pageOfItems } from './item-store.ts';
import { settleByHand } from './settle-service.ts';

const BATCH = '/api/admin/payout-batches/{id}';
const ITEM = `${BATCH}/items/{item_id}`;
const about = { params: z.object({ id: pathId(), item_id: pathId() }), notFound: itemNotFound };

export function itemRoutes(parts: Parts) {
  const { database, people, publicUrl } = parts;
  const shown = async (items: ItemRow[]) => (await people.attach(items)).map(showItem);
  async function page(id: number, filter: ItemFilter) {
    const { items, total } = await pageOfItems(database.manager, id, filter);
    const path = `${publicUrl}${BATCH.replace('{id}', String(id))}/items`;
    const query = filter.status === undefined ? {} : { status: filter.status };
    return paginate({ items: await shown(items), total, ...pageWindow(filter), path, query });
  }
  return [
    route(`get ${BATCH}/items`, {
      summary: 'The payouts of a batch, newest first',
      description: 'For administrators. Paged. `reference` is what a bank or operator must name in its results.',
      auth: 'admin',
      right: 'money',
      params: z.object({ id: pathId() }),
      notFound: batchNotFound,
      query: itemFilter,
      response: pageOf(itemSchema),
      handle: async ({ params: { id }, query }) => (await findBatch(database.manager, id)) && page(id, query),
    }),
    route(`delete ${ITEM}`, {
      summary: 'Take a payout out of a draft',
      description:
        'For administrators. Its withdrawal waits for an administrator again. 409 once the batch is approved.',
      auth: 'admin',
      right: 'payout',
      ...about,
      response: confirmation,
      errors: ['conflict'],
      handle: async ({ caller, params: { id, item_id: itemId } }) => {
        await removeItem(parts, caller, id, itemId);
        return { message: texts.itemRemoved };
      },
    }),
    route(`put ${ITEM}`, {
      summary: 'Settle a payout by hand',
      description:
        'For administrators; not for the maker of the batch while `needs_approval` (409). `paid` or `failed` for a ' +
        'payout that is `sent` or `uncertain`; `returned`, for super administrators, when the bank has sent back a paid ' +
        'one. Anything else is a 409. A payment provider may be paying what is `sent` to it: 409 until it is `uncertain`. ' +
        'The owner reads the `message` of `failed` and `returned`.',
      auth: 'admin',
      right: 'approve',
      ...about,
      body: settlement,
      response: itemSchema,
      errors: ['conflict'],
      handle: async ({ caller, params: { id, item_id: itemId }, body }) =>
        (await shown([await settleByHand(parts, caller, { batchId: id, itemId }, body)]))[0],
    }),
  ];
}
