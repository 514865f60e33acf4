import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { route } from '@tutoring/shared/http/route';
import { errors } from '../errors.ts';
import { eventContext } from '../ledger/ledger-store.ts';
import { chargeAnswer, chargeBody } from './charge.ts';
import type { Charges } from './charge-service.ts';
import { findCharge } from './charge-store.ts';

export function chargeRoutes({ database, charges }: { database: Database; charges: Charges }) {
  return [
    route({
      method: 'post',
      path: '/internal/charges',
      summary: 'Pay a step of a call, once per reference',
      auth: 'service',
      body: chargeBody,
      response: chargeAnswer,
      errors: ['payment_required', 'conflict'],
      handle: ({ body }) =>
        charges.charge({
          reference: body.reference,
          hold: body.hold,
          studentId: body.student_id,
          teacherId: body.teacher_id,
          amount: body.amount,
          commissionPercent: body.commission_percent,
          nextAmount: body.next_amount,
          identifier: body.call.identifier,
          callType: body.call.call_type,
          context: eventContext(),
        }),
    }),
    route({
      method: 'get',
      path: '/internal/charges/{reference}',
      summary: 'What was charged under a reference',
      auth: 'service',
      params: z.object({ reference: z.string() }),
      notFound: errors.chargeUnknown,
      response: chargeAnswer,
      handle: async ({ params }) => {
        const charge = await findCharge(database.manager, params.reference);
        assertThat(charge, errors.chargeUnknown());
        return charge;
      },
    }),
  ];
}
