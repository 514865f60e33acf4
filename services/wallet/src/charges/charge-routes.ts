import { eventContext } from '@tutoring/shared/events/publish/outbox';
import type { CommandAnswer, CommandInput } from '@tutoring/shared/internal/catalogue';
import { command } from '@tutoring/shared/internal/command';
import type { Logger } from '@tutoring/shared/process/logger';
import { BATCH_ANSWER_MS, HOLD_SECONDS } from '../deadlines.ts';
import type { Charge } from './charge.ts';
import type { Charges } from './charge-service.ts';

function chargeOf(body: CommandInput<'charge.make-batch'>['body']['charges'][number]): Charge {
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
    context: body.context ?? eventContext(),
  };
}

type Answered = CommandAnswer<'charge.make-batch'>[number];
const FAILED: Answered = { verdict: 'failed', charged: 0, reserved: 0, available: 0 };

export function chargeRoutes(deps: { charges: Charges; logger: Logger }) {
  const { charges, logger } = deps;
  const isTold = logger.isLevelEnabled('debug');
  const decide = (charge: Charge): Promise<Answered> =>
    charges.decide(charge).then(
      (decided) => {
        const { reference, context } = charge;
        // Of each charge: the request that brought them is that of one.
        if (isTold) logger.debug({ request_id: context.requestId, reference, verdict: decided.verdict }, 'a charge');
        return decided.verdict === 'done' ? { ...decided, hold_seconds: HOLD_SECONDS } : decided;
      },
      (error: unknown) => {
        logger.error({ err: error, reference: charge.reference }, 'a charge failed');
        return FAILED;
      },
    );
  return [
    command('charge.make-batch', ({ body }) => {
      // A charge whose account is locked elsewhere must not delay the verdicts of the others.
      const late = Promise.withResolvers<Answered>();
      const timer = setTimeout(() => late.resolve(FAILED), BATCH_ANSWER_MS);
      const verdicts = body.charges.map((charge) => Promise.race([decide(chargeOf(charge)), late.promise]));
      return Promise.all(verdicts).finally(() => clearTimeout(timer));
    }),
  ];
}
