import { z } from 'zod';
import { route } from '@tutoring/shared/http/declare/route';
import { adminRecordRoutes, ownRecordRoutes, type RecordDeps } from '../records/record-routes.ts';
import { depositSchema, newDeposit } from './deposit.ts';
import type { Deposits } from './deposit-service.ts';
import { depositKind } from './deposit-store.ts';

export const depositRoutes = ({ deposits, ...deps }: RecordDeps & { deposits: Deposits }) => [
  route('post /api/deposits', {
    summary: 'Top up: creates a deposit and the link to pay it',
    description:
      'For students. Open `checkout_url` to pay; it is in this answer only. The money arrives when the provider ' +
      'says so, announced by `wallet.balance`. 422 below the setting `min_deposit` or above 1,000,000,000. Unpaid ' +
      'for 24 hours it is canceled. Send an `Idempotency-Key`, so that a repeat makes no second deposit.',
    auth: 'student',
    idempotent: true,
    body: newDeposit,
    response: depositSchema.extend({
      checkout_url: z.string().meta({ example: 'https://checkout.example.com/pay/cs_8a51' }),
    }),
    errors: ['conflict'],
    handle: ({ caller, body, request }) => deposits.create({ caller, body, key: request.idempotencyKey }),
  }),
  ...ownRecordRoutes(depositKind, deps),
  ...adminRecordRoutes(
    depositKind,
    {
      auth: 'su',
      description:
        'For super administrators. Into `success` credits the user; out of it takes the money back, 409 when it ' +
        'is gone. The same status again changes nothing. With `expected_status`, the status that was seen, two ' +
        'administrators cannot both decide: 409 when it is another one by now.',
      run: deposits.decide,
    },
    deps,
  ),
];
