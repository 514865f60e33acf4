import { createBatch, type BatchLimits } from '@tutoring/shared/kit/batch';
import { isUnavailable } from '@tutoring/shared/kit/database/refusals';
import { AppError } from '@tutoring/shared/kit/errors';
import { eventContext } from '@tutoring/shared/kit/events/publish/outbox';
import { commands, type CommandAnswer, type CommandData } from '@tutoring/shared/contract/commands';
import type { InternalClient } from '@tutoring/shared/contract/client';
import type { Logger } from '@tutoring/shared/kit/process/logger';
import { withTimeout } from '@tutoring/shared/kit/process/deadlines';
import { stepCost, type Chargeable, type PlacedHold } from '../call/call.ts';
import { unavailable } from '../errors.ts';
import { texts } from '../texts.ts';

/** The outcome of a hold or a charge. `unknown`: it may or may not have taken effect. */
export type WalletVerdict<Answer> =
  { outcome: 'accepted'; answer: Answer } | { outcome: 'declined' } | { outcome: 'unknown' };

type ChargeVerdict = CommandAnswer<'charge.make-batch'>[number];
export type CallLedger = CommandAnswer<'call-ledger.read'>;
export type ChargeAnswer = Omit<ChargeVerdict, 'verdict'>;

type Charge = CommandData<'charge.make-batch'>['charges'][number];

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

interface PendingCharge {
  request: Charge;
  /** When the caller stops waiting: process clock, in milliseconds. */
  until: number;
}

/** Client of wallet. Every command is idempotent by its reference and may be retried. */
export function createWallet({ client, logger }: { client: InternalClient<'wallet'>; logger: Logger }) {
  function outcomeOfError(error: unknown): { outcome: 'declined' } | typeof UNKNOWN {
    if (error instanceof AppError && error.code === 'payment_required') return { outcome: 'declined' };
    if (!isUnavailable(error))
      logger.error(
        { err: error },
        'wallet refused a request for an unexpected reason; its outcome is treated as unknown',
      );
    return UNKNOWN;
  }

  const toVerdict = <Answer>(request: Promise<Answer>): Promise<WalletVerdict<Answer>> =>
    request.then((answer) => ({ outcome: 'accepted', answer }), outcomeOfError);

  function outcomeOf({ verdict, ...answer }: ChargeVerdict): WalletVerdict<ChargeAnswer> {
    if (verdict === 'done' || verdict === 'repeated') return { outcome: 'accepted', answer };
    if (verdict === 'refused') return { outcome: 'declined' };
    if (verdict === 'conflict')
      logger.error('wallet refused a charge because its reference belongs to a different charge; it will be retried');
    return UNKNOWN;
  }

  /** Drops charges whose callers have timed out: they could take effect after they have been treated as refused. */
  async function chargeAll(pending: PendingCharge[]): Promise<WalletVerdict<ChargeAnswer>[]> {
    const now = Date.now();
    const timely = pending.filter(({ until }) => until > now);
    if (timely.length === 0) return pending.map(() => UNKNOWN);
    const charges = timely.map(({ request }) => request);
    const withinMs = Math.max(...timely.map(({ until }) => until)) - now;
    const answers = await client.ask('charge.make-batch', { charges }, { withinMs });
    const verdicts = new Map(answers.map((answer, index) => [timely[index], outcomeOf(answer)]));
    return pending.map((item) => verdicts.get(item) ?? UNKNOWN);
  }

  const chargeOne = async (pending: PendingCharge) => (await chargeAll([pending]))[0]!;

  const charge = createBatch<PendingCharge, WalletVerdict<ChargeAnswer>>({
    ...BATCH,
    processBatch: chargeAll,
    processItem: chargeOne,
    isWorthSplitting: (error) => !isUnavailable(error),
  });

  return {
    /** Holds `amount` for the call; places no hold for a free step. */
    hold: (call: { identifier: string; student_id: number }, amount: number) =>
      amount === 0
        ? Promise.resolve<WalletVerdict<PlacedHold>>({ outcome: 'accepted', answer: { held: 0 } })
        : toVerdict(client.ask('hold.place', { reference: holdOf(call.identifier), user_id: call.student_id, amount })),

    release: (identifier: string, withinMs = Infinity) =>
      toVerdict(client.ask('hold.release', { reference: holdOf(identifier) }, { withinMs })),

    /**
     * Charges step `step` and holds `next` for the step after it. Batched with other concurrent charges, unless an
     * earlier attempt failed: a charge that is slow in wallet would delay the other charges of each batch.
     */
    async charge(
      call: Chargeable & { attempts: number },
      step: number,
      next: number,
      withinMs: number,
    ): Promise<WalletVerdict<ChargeAnswer>> {
      const waitMs = Math.min(commands['charge.make-batch'].deadlineMs, withinMs);
      const request: PendingCharge = { request: chargeRequest(call, step, next), until: Date.now() + waitMs };
      const verdict = call.attempts > 0 ? chargeOne(request) : charge(request);
      return withTimeout(waitMs, verdict, () => unavailable(texts.walletAway)).catch(outcomeOfError);
    },

    /** The call's charges and refunds so far. Throws unavailable when wallet does not answer. */
    ledger: (identifier: string): Promise<CallLedger> =>
      client.ask('call-ledger.read', { identifier }).catch((error: unknown) => {
        throw unavailable(texts.walletAway, error);
      }),

    /** The user's available balance. Throws unavailable when wallet does not answer. */
    available: async (userId: number) => (await client.ask('balance.read', { user_id: userId })).available,
  };
}

export type Wallet = ReturnType<typeof createWallet>;
