import { z } from 'zod';
import { command } from '@tutoring/shared/contract/command';
import { exportHandler } from '@tutoring/shared/kit/commands/export-page';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { listRoute, userMustExist } from '@tutoring/shared/kit/http/declare/page';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { depositNotFound, refundNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { cursor, type Cursor } from '../records/record.ts';
import { depositRefundSchema, newDepositRefund, publicRefund, refundDecision, refundFilter } from './deposit-refund.ts';
import { cancelRefund, decideRefund, requestRefund } from './deposit-refund-service.ts';
import { createRefundList, findOwnRefund, listOwnRefunds } from './deposit-refund-store.ts';

const params = z.object({ id: pathId() });

export function depositRefundRoutes(parts: Parts) {
  const { database, people, publicUrl } = parts;
  const listRefunds = createRefundList();
  const pageOf = async (reader: Reader, userId: number, window: Cursor) =>
    (await listOwnRefunds(reader, userId, window)).map(publicRefund);
  return [
    route('post /api/deposits/{id}/refunds', {
      summary: 'Ask for unspent money of a deposit back',
      description:
        'For the student of the deposit, where the setting `deposit_refunds` offers it. The amount is held at once. ' +
        'Without `amount` it is the smaller of the available money and what of the deposit is neither refunded nor ' +
        'disputed. 402 above the available money; 422 above the rest of the deposit; 409 when refunds are not offered, ' +
        'the deposit was not paid or is older than `deposit_refund_days`, or nothing of it is left. Send an ' +
        '`Idempotency-Key`, so that a retry does not ask twice.',
      auth: 'student',
      idempotent: true,
      params,
      notFound: depositNotFound,
      body: newDepositRefund,
      response: depositRefundSchema,
      errors: ['payment_required', 'conflict'],
      handle: ({ caller, params: { id }, body, once }) => requestRefund(parts, caller, id, body, once),
    }),
    route('get /api/deposit-refunds', {
      summary: 'Own refunds of deposits, newest first',
      description:
        'For students. For older ones send the last id as `before`. `limit` is 50 by default and 100 at most.',
      auth: 'student',
      query: cursor,
      response: z.array(depositRefundSchema),
      handle: ({ caller, query }) => pageOf(database.manager, caller.id, query),
    }),
    route('get /api/deposit-refunds/{id}', {
      summary: 'One of the own refunds of deposits',
      description: 'For students. A refund of another student is a 404.',
      auth: 'student',
      params,
      notFound: refundNotFound,
      response: depositRefundSchema,
      handle: async ({ caller, params: { id } }) => {
        const refund = await findOwnRefund(database.manager, id, caller.id);
        return refund && publicRefund(refund);
      },
    }),
    route('post /api/deposit-refunds/{id}/cancel', {
      summary: 'Cancel an own refund that was not sent',
      description:
        'For the student who asked for it. The amount is available again at once. 409 once it was sent or decided.',
      auth: 'student',
      params,
      notFound: refundNotFound,
      response: depositRefundSchema,
      errors: ['conflict'],
      handle: async ({ caller, params: { id } }) => publicRefund(await cancelRefund(parts, caller, id)),
    }),
    listRoute('post /api/admin/deposit-refundsall', {
      summary: 'Refunds of deposits, newest first',
      description:
        'For administrators. Paged. `filter_value` searches reference, details and the user, or is an exact id; `from` ' +
        'and `to` are days, both included. An unknown `user_id` is a 422; an unknown `deposit_id` has no refunds.',
      auth: 'admin',
      right: 'money',
      body: refundFilter,
      rules: userMustExist(people),
      item: depositRefundSchema,
      publicUrl,
      list: async (filter, window) => {
        const { items, total } = await listRefunds(database.standby.manager, filter, window);
        return { items: items.map(publicRefund), total };
      },
    }),
    route('put /api/admin/deposit-refunds/{id}', {
      summary: 'Decide on a refund of a deposit',
      description:
        'For administrators. `sent` asks the payment provider for the refund, once; where the provider makes no ' +
        'refunds, make it by hand and set `success`. `rejected` needs `details`, which the student reads. `success` and ' +
        '`failed` settle a refund that was sent, where the provider makes none or no longer answers (else 409). Send `expected_status`, the status that you saw: 409 if it has ' +
        'changed. Any other move is a 409; repeating the current status changes only `ref` and `details`.',
      auth: 'admin',
      right: 'approve',
      params,
      notFound: refundNotFound,
      body: refundDecision,
      response: depositRefundSchema,
      rules: ({ fields: { status, details } }) =>
        Promise.resolve(status === 'rejected' && details === undefined ? [[['details'], sentences.required]] : []),
      errors: ['conflict'],
      handle: async ({ params: { id }, body, caller }) => publicRefund(await decideRefund(parts, caller, id, body)),
    }),
    command('deposit-refunds.export', exportHandler(database.standby.manager, pageOf)),
  ];
}
