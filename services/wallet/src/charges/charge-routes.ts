import { eventContext } from '@tutoring/shared/kit/events/publish/outbox';
import { command } from '@tutoring/shared/contract/command';
import { BATCH_ANSWER_MS, HOLD_SECONDS } from '../deadlines.ts';
import type { Parts } from '../parts.ts';
import { placeCallHold, releaseCallHold } from '../holds/hold-service.ts';
import { createCharging } from './charge-service.ts';
import type { Charge, ChargeVerdict } from './charge-step.ts';

const FAILED: ChargeVerdict = { verdict: 'failed', charged: 0, reserved: 0, available: 0 };

/** Commands for the service calls: hold money for a call, release it, and charge steps. */
export function chargeRoutes(parts: Parts) {
  const { logger } = parts;
  const makeCharge = createCharging(parts);
  const logsCharges = logger.isLevelEnabled('debug');
  const decide = (charge: Charge): Promise<ChargeVerdict> =>
    makeCharge(charge).then(
      (decided) => {
        const { reference, context } = charge;
        // Each charge has its own request id: the batch arrives in a request of another id.
        if (logsCharges)
          logger.debug({ request_id: context.requestId, reference, verdict: decided.verdict }, 'decided a charge');
        return decided.verdict === 'done' ? { ...decided, hold_seconds: HOLD_SECONDS } : decided;
      },
      (error: unknown) => {
        logger.error({ err: error, reference: charge.reference }, 'a charge failed; the service calls will retry it');
        return FAILED;
      },
    );
  return [
    command('hold.place', async ({ body: { reference, user_id: user, amount } }) => {
      const { amount: held, available, expires_at } = await placeCallHold(parts, { reference, user, amount });
      return { reference, held, available, expires_at, hold_seconds: HOLD_SECONDS };
    }),
    command('hold.release', async ({ body }) => ({ released: await releaseCallHold(parts, body.reference) })),
    command('charge.make-batch', ({ body }) => {
      // A charge whose account is locked elsewhere must not delay the verdicts of the others.
      const late = Promise.withResolvers<ChargeVerdict>();
      const timer = setTimeout(() => late.resolve(FAILED), BATCH_ANSWER_MS);
      const charges = body.charges.map((charge) => ({ ...charge, context: charge.context ?? eventContext() }));
      const verdicts = charges.map((charge) => Promise.race([decide(charge), late.promise]));
      return Promise.all(verdicts).finally(() => clearTimeout(timer));
    }),
  ];
}
