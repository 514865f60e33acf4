import { z } from 'zod';
import { pathId } from '@tutoring/shared/http/declare/fields';
import { route } from '@tutoring/shared/http/declare/route';
import { withdrawalNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { adminRecordRoutes, ownRecordRoutes } from '../records/record-routes.ts';
import { newWithdrawal, publicWithdrawal, withdrawalSchema } from './withdrawal.ts';
import { cancelWithdrawal, createWithdrawal, decideWithdrawal } from './withdrawal-service.ts';
import { withdrawalKind } from './withdrawal-store.ts';

export const withdrawalRoutes = (parts: Parts) => [
  route('post /api/withdrawals', {
    summary: 'Ask for a payout; the amount is held at once',
    description:
      'For teachers. An administrator pays it out to `account`. 402 above what is available; 422 below the ' +
      'setting `min_withdrawal` or above 1,000,000,000. Send an `Idempotency-Key`, so that a repeat asks only ' +
      'once.',
    auth: 'teacher',
    idempotent: true,
    body: newWithdrawal,
    response: withdrawalSchema,
    errors: ['payment_required', 'conflict'],
    handle: ({ caller, body, request }) =>
      createWithdrawal(parts, { caller, scope: 'POST /api/withdrawals', body, key: request.idempotencyKey }),
  }),
  ...ownRecordRoutes(withdrawalKind, parts),
  route('post /api/withdrawals/{id}/cancel', {
    summary: 'Take back a withdrawal that no administrator has claimed',
    description:
      'For the teacher who asked. The amount is available again at once. 409 when an administrator has claimed ' +
      'it (`pending`) or it is over.',
    auth: 'user',
    params: z.object({ id: pathId() }),
    notFound: withdrawalNotFound,
    response: withdrawalSchema,
    errors: ['conflict'],
    handle: async ({ caller, params: { id } }) =>
      parts.people.withUser(publicWithdrawal(await cancelWithdrawal(parts, caller, id))),
  }),
  ...adminRecordRoutes(
    withdrawalKind,
    {
      auth: 'admin',
      description:
        'For administrators. `pending` claims it, `success` pays out what is held, `failed` and `canceled` ' +
        'release it; only a super administrator takes it out of `success`. 409 when money would have to be held ' +
        'that is not available. The same status again changes nothing. With `expected_status`, the status that was ' +
        'seen, two administrators cannot both decide: 409 when it is another one by now.',
      run: decideWithdrawal(parts),
    },
    parts,
  ),
];
