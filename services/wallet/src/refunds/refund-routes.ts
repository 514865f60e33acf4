import { z } from 'zod';
import { route } from '@tutoring/shared/http/declare/route';
import { callNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { paymentSchema } from '../payments/payment.ts';
import { refundBody } from './refund.ts';
import { refund } from './refund-service.ts';

export const refundRoutes = (parts: Parts) => [
  route('post /api/admin/calls/{identifier}/refund', {
    summary: 'Refund a call to its student, wholly or in part',
    description:
      'For super administrators. Teacher and platform give back pro rata; without `amount` all that was charged ' +
      "and not refunded yet, more is a 422. 409 when the teacher's money is gone. `reason` is kept in " +
      "the audit log with what was refunded. Answers the student's payment. " +
      'Send an `Idempotency-Key`, so that a repeat refunds only once.',
    auth: 'su',
    idempotent: true,
    params: z.object({
      identifier: z.string().min(1).max(255).meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    }),
    notFound: callNotFound,
    body: refundBody,
    response: paymentSchema,
    errors: ['conflict'],
    handle: ({ params: { identifier }, body, caller, request }) => {
      const scope = `POST /api/admin/calls/${identifier}/refund`;
      return refund(parts, identifier, { caller, scope, body, key: request.idempotencyKey });
    },
  }),
];
