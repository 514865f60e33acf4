import { z } from 'zod';
import { pathId } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { withdrawalNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { ownRecordRoutes } from '../records/record-routes.ts';
import { newWithdrawal, publicWithdrawal, withdrawalSchema } from './withdrawal.ts';
import { cancelWithdrawal, createWithdrawal, targetRules } from './withdrawal-service.ts';
import { withdrawalKind } from './withdrawal-store.ts';

export const withdrawalRoutes = (parts: Parts) => [
  route('post /api/withdrawals', {
    summary: 'Request a payout; the amount is held at once',
    description:
      'For teachers. An administrator pays the amount to the payout account `payout_account_id`, or to `account`, unless ' +
      'the setting `require_payout_account` demands the former (422). 409 before the payout account can be used. 402 above the available balance; 422 below the ' +
      'setting `min_withdrawal` or above 1,000,000,000. Send an `Idempotency-Key`, so that a retry does not create a ' +
      'second withdrawal.',
    auth: 'teacher',
    idempotent: true,
    body: newWithdrawal,
    rules: ({ fields }) => targetRules(parts, fields),
    response: withdrawalSchema,
    errors: ['payment_required', 'conflict'],
    handle: ({ caller, body, once }) => createWithdrawal(parts, caller, body, once),
  }),
  ...ownRecordRoutes(withdrawalKind, parts),
  route('post /api/withdrawals/{id}/cancel', {
    summary: 'Cancel an own withdrawal that no administrator has claimed',
    description:
      'For the teacher who requested it. The amount is available again at once. 409 if an administrator has claimed ' +
      '(`pending`) or decided it.',
    auth: 'user',
    params: z.object({ id: pathId() }),
    notFound: withdrawalNotFound,
    response: withdrawalSchema,
    errors: ['conflict'],
    handle: async ({ caller, params: { id } }) =>
      parts.people.withUser(publicWithdrawal(await cancelWithdrawal(parts, caller, id))),
  }),
];
