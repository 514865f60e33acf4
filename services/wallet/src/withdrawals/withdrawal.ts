import { z } from 'zod';
import { contactOrNull } from '@tutoring/shared/kit/http/declare/contacts';
import { amount, id, pickFields, text, timestamp, wholeNumber } from '@tutoring/shared/kit/http/declare/fields';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { hasRight } from '@tutoring/shared/kit/identity/rights';
import type { AdminCaller } from '@tutoring/shared/kit/identity/auth';
import type { AccountKind } from '../payout-methods/payout-method.ts';
import {
  amountFields,
  changesNothing,
  listBody,
  noteFields,
  ownerFields,
  type Decision,
  type Status,
} from '../records/record.ts';

export const withdrawalSchema = z
  .strictObject({
    ...ownerFields,
    ...amountFields,
    method: z.string().nullable().meta({ example: 'mobile_money' }),
    account: contactOrNull('account'),
    ...noteFields,
  })
  .meta({ id: 'Withdrawal' });
export type Withdrawal = z.infer<typeof withdrawalSchema>;
const ofRow = withdrawalSchema.omit({ user: true });
type PublicWithdrawal = z.infer<typeof ofRow>;

const administrator = z
  .strictObject({ id: z.int().meta({ example: 3 }), name: z.string().meta({ example: 'Ada Mensah' }) })
  .meta({ id: 'Administrator' })
  .nullable();

/** A withdrawal as administrators see it: with the administrators who claimed and decided it. */
export const adminWithdrawalSchema = withdrawalSchema
  .extend({
    claimed_by: administrator,
    claimed_at: timestamp().nullable(),
    decided_by: administrator,
    decided_at: timestamp().nullable(),
  })
  .meta({ id: 'AdminWithdrawal' });

/** The row in the database. */
export interface WithdrawalRow extends PublicWithdrawal {
  holds: number;
  entries: number;
  version: number;
  claimer_id: number | null;
  claimer_name: string | null;
  claimed_at: string | null;
  decider_id: number | null;
  decider_name: string | null;
  decided_at: string | null;
  /** Of a withdrawal to a stored payout account; null in the old form. */
  payout_account_id: number | null;
  account_kind: AccountKind | null;
  holder_name: string | null;
}

/** The fields of a withdrawal that its owner sees. */
export const publicWithdrawal = (row: WithdrawalRow): PublicWithdrawal => pickFields(ofRow, row);

const named = (id: number | null, name: string | null) => (id === null || name === null ? null : { id, name });

export const adminWithdrawal = (row: WithdrawalRow): Omit<z.infer<typeof adminWithdrawalSchema>, 'user'> => ({
  ...publicWithdrawal(row),
  claimed_by: named(row.claimer_id, row.claimer_name),
  claimed_at: row.claimed_at,
  decided_by: named(row.decider_id, row.decider_name),
  decided_at: row.decided_at,
});

/** The filter of the administrators' list: `claimed_by` is an administrator's id, or `me`. */
export const withdrawalList = listBody.extend({
  claimed_by: z
    .preprocess(wholeNumber, z.union([z.literal('me'), z.int().min(1)], { error: () => sentences.selected }))
    .optional()
    .meta({
      example: 'me',
      description: '`me`, or the id of an administrator: the withdrawals that they claimed last.',
    }),
});

/** To a stored payout account; or, in the old form, to any `account`. */
export const newWithdrawal = z
  .object({
    amount: amount().meta({ example: 5000 }),
    payout_account_id: id().optional().meta({ example: 3 }),
    method: text(64).optional().meta({ example: 'mobile_money' }),
    account: text().optional().meta({ example: '+22890445566' }),
  })
  .meta({ example: { amount: 5000, method: 'mobile_money', account: '+22890445566' } });

export type NewWithdrawal = z.output<typeof newWithdrawal>;

export type LedgerStep = 'hold' | 'release' | 'capture' | 'reverse';

const HELD: Status[] = ['initiated', 'pending'];

/**
 * Whether the administrator may make this decision. The right `payout` allows every decision; `approve` alone only
 * confirms with `success` what another administrator has claimed, or repeats that.
 */
export function mayDecide(
  admin: Pick<AdminCaller, 'id' | 'level' | 'rights'>,
  withdrawal: Pick<WithdrawalRow, 'status' | 'claimer_id' | 'details' | 'ref'>,
  decision: Decision,
): boolean {
  if (hasRight(admin, 'payout')) return true;
  const isClaimedByAnother = withdrawal.claimer_id !== null && withdrawal.claimer_id !== admin.id;
  const isOpen = withdrawal.status === 'pending' || changesNothing(withdrawal, decision);
  return decision.status === 'success' && isClaimedByAnother && isOpen;
}

/**
 * Whether paying a withdrawal of at least `checkerFrom` lacks a second administrator: it must be claimed, and not by who
 * pays it. 0: never.
 */
export const lacksChecker = (
  admin: Pick<AdminCaller, 'id'>,
  { status, amount: sum, claimer_id }: Pick<WithdrawalRow, 'status' | 'amount' | 'claimer_id'>,
  checkerFrom: number,
): boolean =>
  checkerFrom > 0 && sum >= checkerFrom && (status !== 'pending' || claimer_id === null || claimer_id === admin.id);

interface Mover {
  id: number;
  name: string;
}

/**
 * Changes of the claimer and decider fields by a move. A move to `pending` claims the withdrawal; a move to `success`,
 * `failed` or `canceled` decides it. An open withdrawal and one canceled by its owner have no decider. `now` lists the
 * fields to set to the current time; absent fields stay.
 */
export function moverFields(from: Status, to: Status, admin: Mover | undefined) {
  if (from === to) return { change: {}, now: [] };
  const claims = admin !== undefined && to === 'pending';
  const decides = admin !== undefined && !HELD.includes(to);
  return {
    change: {
      ...(claims && { claimer_id: admin.id, claimer_name: admin.name }),
      decider_id: decides ? admin.id : null,
      decider_name: decides ? admin.name : null,
      ...(!decides && { decided_at: null }),
    },
    now: claims ? ['claimed_at'] : decides ? ['decided_at'] : [],
  };
}

/** The ledger steps of a move, in order. The money of a withdrawal is held, paid out, or free for its owner. */
export function withdrawalSteps(from: Status, to: Status): LedgerStep[] {
  const locationOf = (of: Status) => (of === 'success' ? 'paid' : HELD.includes(of) ? 'held' : 'free');
  const steps: Record<string, LedgerStep[]> = {
    'held>paid': ['capture'],
    'held>free': ['release'],
    'free>held': ['hold'],
    'free>paid': ['hold', 'capture'],
    'paid>held': ['reverse', 'hold'],
    'paid>free': ['reverse'],
  };
  return steps[`${locationOf(from)}>${locationOf(to)}`] ?? [];
}
