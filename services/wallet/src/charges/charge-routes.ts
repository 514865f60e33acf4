import { z } from 'zod';
import type { Database } from '@tutoring/shared/database/open';
import { assertThat } from '@tutoring/shared/errors';
import { route } from '@tutoring/shared/http/route';
import type { Logger } from '@tutoring/shared/logger';
import { errors } from '../errors.ts';
import { eventContext } from '../ledger/ledger-store.ts';
import { chargeAnswer, chargeBody, chargeVerdict, MAX_CHARGES, type Charge } from './charge.ts';
import type { Charges } from './charge-service.ts';
import { findCharge } from './charge-store.ts';

function chargeOf(body: z.output<typeof chargeBody>): Charge {
  return {
    reference: body.reference,
    hold: body.hold,
    studentId: body.student_id,
    teacherId: body.teacher_id,
    amount: body.amount,
    commissionPercent: body.commission_percent,
    nextAmount: body.next_amount,
    identifier: body.call.identifier,
    callType: body.call.call_type,
    context: body.context ? JSON.stringify(body.context) : eventContext(),
  };
}

/** How long a batch waits for its slowest charge; what that one comes to is asked again. */
const ENOUGH_MS = 500;
const FAILED: z.infer<typeof chargeVerdict> = { verdict: 'failed', charged: 0, reserved: 0, available: 0 };

export function chargeRoutes(deps: { database: Database; charges: Charges; logger: Logger }) {
  const { database, charges, logger } = deps;
  const judge = (charge: Charge) =>
    charges.judge(charge).catch((error: unknown) => {
      logger.error({ err: error, reference: charge.reference }, 'a charge failed');
      return FAILED;
    });
  return [
    route({
      method: 'post',
      path: '/internal/charges',
      summary: 'Pay a step of a call, once per reference',
      auth: 'service',
      body: chargeBody,
      response: chargeAnswer,
      errors: ['payment_required', 'conflict'],
      handle: ({ body }) => charges.charge(chargeOf(body)),
    }),
    route({
      method: 'post',
      path: '/internal/charges/batch',
      summary: 'Pay steps of several calls, each once per reference and with its own verdict',
      auth: 'service',
      body: z.object({ charges: z.array(chargeBody).min(1).max(MAX_CHARGES) }),
      response: z.array(chargeVerdict),
      // One whose account is locked elsewhere keeps none of its neighbours waiting for the answer.
      handle: ({ body }) => {
        const late = Promise.withResolvers<typeof FAILED>();
        const timer = setTimeout(() => late.resolve(FAILED), ENOUGH_MS);
        const verdicts = body.charges.map((charge) => Promise.race([judge(chargeOf(charge)), late.promise]));
        return Promise.all(verdicts).finally(() => clearTimeout(timer));
      },
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
