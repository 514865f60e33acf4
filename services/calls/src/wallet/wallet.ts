import { createBatch, type BatchLimits } from '@tutoring/shared/kit/batch';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import { AppError } from '@tutoring/shared/kit/errors';
import { eventContext } from '@tutoring/shared/kit/events/publish/outbox';
import { commands, type CommandAnswer } from '@tutoring/shared/contract/commands';
import { withTimeout } from '@tutoring/shared/kit/process/deadlines';
import { stepCost, type Chargeable, type PlacedHold } from '../call/call.ts';
import type { Charge, ChargeAnswer, ChargeVerdict, PendingCharge, WalletVerdict } from '../call/charge.ts';
import { unavailable } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { texts } from '../texts.ts';

export type CallLedger = CommandAnswer<'call-ledger.read'>;
type WalletParts = Pick<Parts, 'wallet' | 'logger'>;

const holdOf = (identifier: string) => `call:${identifier}`;

/** `size`: charges per request, below wallet's limit. `atOnce`: concurrent requests. */
const BATCH: BatchLimits = { size: 64, atOnce: 2 };
const UNKNOWN = { outcome: 'unknown' } as const;

const chargeRequest = (call: Chargeable, step: number, next: number): Charge => ({
  reference: `call:${call.identifier}:step:${step}`,
  hold: holdOf(call.identifier),
  student_id: call.student_id,
  teacher_id: call.teacher_id,
  amount: stepCost(step, call),
  commission_percent: call.commission_percent,
  next_amount: next,
  call: { identifier: call.identifier, call_type: call.call_type, step },
  context: eventContext(),
});

/* Client of wallet. Every command is idempotent by its reference and may be retried. */

function outcomeOfError({ logger }: WalletParts, error: unknown): { outcome: 'declined' } | typeof UNKNOWN {
  if (error instanceof AppError && error.code === 'payment_required') return { outcome: 'declined' };
  if (!isUnavailable(error))
    logger.error(
      { err: error },
      'wallet refused a request for an unexpected reason; its outcome is treated as unknown',
    );
  return UNKNOWN;
}

const toVerdict = <Answer>(parts: WalletParts, request: Promise<Answer>): Promise<WalletVerdict<Answer>> =>
  request.then(
    (answer) => ({ outcome: 'accepted', answer }),
    (error: unknown) => outcomeOfError(parts, error),
  );

function outcomeOf({ logger }: WalletParts, { verdict, ...answer }: ChargeVerdict): WalletVerdict<ChargeAnswer> {
  if (verdict === 'done' || verdict === 'repeated') return { outcome: 'accepted', answer };
  if (verdict === 'refused') return { outcome: 'declined' };
  if (verdict === 'conflict')
    logger.error('wallet refused a charge because its reference belongs to a different charge; it will be retried');
  return UNKNOWN;
}

/** Drops charges whose callers have timed out: they could take effect after they have been treated as refused. */
async function chargeAll(parts: WalletParts, pending: PendingCharge[]): Promise<WalletVerdict<ChargeAnswer>[]> {
  const now = Date.now();
  const timely = pending.filter(({ until }) => until > now);
  if (timely.length === 0) return pending.map(() => UNKNOWN);
  const charges = timely.map(({ request }) => request);
  const withinMs = Math.max(...timely.map(({ until }) => until)) - now;
  const answers = await parts.wallet.ask('charge.make-batch', { charges }, { withinMs });
  const verdicts = new Map(answers.map((answer, index) => [timely[index], outcomeOf(parts, answer)]));
  return pending.map((item) => verdicts.get(item) ?? UNKNOWN);
}

const chargeOne = async (parts: WalletParts, pending: PendingCharge) => (await chargeAll(parts, [pending]))[0]!;

/** Concurrent charges share a request. */
export const batchedCharges = (parts: WalletParts) =>
  createBatch<PendingCharge, WalletVerdict<ChargeAnswer>>({
    ...BATCH,
    processBatch: (pending) => chargeAll(parts, pending),
    processItem: (pending) => chargeOne(parts, pending),
    isWorthSplitting: (error) => !isUnavailable(error),
  });

/** Holds `amount` for the call; places no hold for a free step. */
export const hold = (parts: Parts, call: { identifier: string; student_id: number }, amount: number) =>
  amount === 0
    ? Promise.resolve<WalletVerdict<PlacedHold>>({ outcome: 'accepted', answer: { held: 0 } })
    : toVerdict(
        parts,
        parts.wallet.ask('hold.place', { reference: holdOf(call.identifier), user_id: call.student_id, amount }),
      );

export const release = (parts: Parts, identifier: string, withinMs = Infinity) =>
  toVerdict(parts, parts.wallet.ask('hold.release', { reference: holdOf(identifier) }, { withinMs }));

/**
 * Charges step `step` and holds `next` for the step after it. Batched with other concurrent charges, unless an
 * earlier attempt failed: a charge that is slow in wallet would delay the other charges of each batch.
 */
export async function charge(
  parts: Parts,
  call: Chargeable & { attempts: number },
  step: number,
  next: number,
  withinMs: number,
): Promise<WalletVerdict<ChargeAnswer>> {
  const waitMs = Math.min(commands['charge.make-batch'].deadlineMs, withinMs);
  const request: PendingCharge = { request: chargeRequest(call, step, next), until: Date.now() + waitMs };
  const verdict = call.attempts > 0 ? chargeOne(parts, request) : parts.chargeInBatch(request);
  return withTimeout(waitMs, verdict, () => unavailable(texts.walletAway)).catch((error: unknown) =>
    outcomeOfError(parts, error),
  );
}

/** The call's charges and refunds so far. Throws unavailable when wallet does not answer. */
export const ledger = ({ wallet }: Parts, identifier: string): Promise<CallLedger> =>
  wallet.ask('call-ledger.read', { identifier }).catch((error: unknown) => {
    throw unavailable(texts.walletAway, error);
  });

/** The user's available balance. Throws unavailable when wallet does not answer. */
export const available = async ({ wallet }: Parts, userId: number) =>
  (await wallet.ask('balance.read', { user_id: userId })).available;
