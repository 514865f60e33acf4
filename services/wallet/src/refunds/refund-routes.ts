import { z } from 'zod';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { callNotFound } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { paymentSchema } from '../payments/payment.ts';
import { refundBody } from './refund.ts';
import { refund } from './refund-service.ts';

export const refundRoutes = (parts: Parts) => [
  route('post /api/admin/calls/{identifier}/refund', {
    summary: 'Refund a call to its student, wholly or in part',
    description:
      'For super administrators. Teacher and platform pay the refund pro rata. Without `amount` the whole rest is ' +
      "refunded; more than the rest is a 422. 409 if the teacher's money is no longer available. The audit log " +
      "stores `reason` with the refunded amount. Returns the student's payment. " +
      'Send an `Idempotency-Key`, so that a retry does not refund twice.',
    auth: 'su',
    idempotent: true,
    params: z.object({
      identifier: z.string().min(1).max(255).meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    }),
    notFound: callNotFound,
    body: refundBody,
    response: paymentSchema,
    errors: ['conflict'],
    handle: ({ params: { identifier }, body, caller, once }) => refund(parts, identifier, { caller, body }, once),
  }),
];
