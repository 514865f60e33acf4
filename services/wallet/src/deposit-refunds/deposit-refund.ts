import { z } from 'zod';
import { amount, id, pickFields, text, times } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import { optionalNeverNull } from '@tutoring/shared/kit/http/read/validation';
import type { WantedRefund } from '../providers/provider.ts';

const REFUND_STATUSES = ['requested', 'sent', 'success', 'failed', 'canceled', 'rejected'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];
const refundStatus = z.enum(REFUND_STATUSES).meta({ example: 'requested' });

/** Unspent money of a deposit that its student wants back. */
export const depositRefundSchema = z
  .strictObject({
    id: z.int().meta({ example: 3 }),
    deposit_id: z.int().meta({ example: 12 }),
    user_id: z.int().meta({ example: 12 }),
    amount: z.int().meta({ example: 2000 }),
    currency: z.string().meta({ example: 'XOF' }),
    status: refundStatus,
    ref: z
      .string()
      .nullable()
      .meta({ description: 'The provider’s id of it, or an administrator’s.', example: 're_3Mx' }),
    details: z
      .string()
      .nullable()
      .meta({ description: 'The student’s reason, or what the administrator answered.', example: 'I move abroad.' }),
    ...times,
  })
  .meta({ id: 'DepositRefund' });
export type DepositRefund = z.infer<typeof depositRefundSchema>;

/** The row in the database. */
export interface DepositRefundRow extends DepositRefund {
  provider: string;
  refund_key: string;
  sent_at: string | null;
  /** When the provider is next asked about it; null: never again. */
  ask_at: string | null;
  version: number;
}

export const publicRefund = (row: DepositRefundRow): DepositRefund => pickFields(depositRefundSchema, row);

/** A refund to ask its provider about, with the provider's id of the payment. */
export type DueRefund = Pick<DepositRefundRow, 'provider' | 'refund_key' | 'status'> &
  Omit<WantedRefund, 'key' | 'payment_ref'> & { payment_ref: string | null; may_make: boolean };

export const newDepositRefund = z
  .object({
    amount: optionalNeverNull(amount().meta({ example: 2000 })),
    reason: text(1_000).optional().meta({ example: 'I move abroad.' }),
  })
  .meta({ example: { amount: 2000, reason: 'I move abroad.' } });
export type NewDepositRefund = z.output<typeof newDepositRefund>;

export const refundFilter = z.object({
  ...pageFields,
  status: refundStatus.optional(),
  user_id: id().optional().meta({ example: 12 }),
  deposit_id: id().optional().meta({ example: 12 }),
  ...dayFields,
});

export const refundDecision = z.object({
  status: z.enum(['sent', 'rejected', 'success', 'failed']).meta({ example: 'sent' }),
  details: text(1_000).min(1).optional().meta({ example: 'Sent to your card.' }),
  ref: text().min(1).optional().meta({ example: 're_3Mx' }),
  /** The status that the administrator saw. */
  expected_status: refundStatus.optional().meta({ example: 'requested' }),
});
export type RefundDecision = z.output<typeof refundDecision>;

/**
 * What happens to a refund: administrators send, reject or settle it, its owner cancels it, a dispute of the deposit
 * cancels it, and `returned` is the provider's word that a finished refund came back.
 */
export type RefundEvent = 'send' | 'reject' | 'cancel' | 'success' | 'failed' | 'returned';

export interface RefundMove {
  to: RefundStatus;
  /** What the move does to the money: `keep` leaves it held. */
  effect: 'keep' | 'release' | 'capture' | 'return';
}

const MOVES: Record<RefundStatus, Partial<Record<RefundEvent, RefundMove>>> = {
  requested: {
    send: { to: 'sent', effect: 'keep' },
    reject: { to: 'rejected', effect: 'release' },
    cancel: { to: 'canceled', effect: 'release' },
  },
  sent: {
    success: { to: 'success', effect: 'capture' },
    failed: { to: 'failed', effect: 'release' },
    returned: { to: 'failed', effect: 'release' },
  },
  success: { returned: { to: 'failed', effect: 'return' } },
  failed: {},
  canceled: {},
  rejected: {},
};

/** The move of a refund; undefined: impossible in this status. */
export const refundMove = (from: RefundStatus, event: RefundEvent): RefundMove | undefined => MOVES[from][event];

/** The event by which an administrator moves a refund to a status. */
export const EVENT_OF = { sent: 'send', rejected: 'reject', success: 'success', failed: 'failed' } as const;

/** What is left to refund of a deposit: without open and successful refunds, and without what is disputed. */
export const refundable = (deposit: { amount: number; refunded: number; disputed: number }): number =>
  Math.max(0, deposit.amount - deposit.refunded - deposit.disputed);
