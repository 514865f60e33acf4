import { z } from 'zod';
import { openList } from '../kit/events/catalogue.ts';
import { CALL_TYPES } from './call-types.ts';
import { catalogue as events } from './events.ts';
import { MAX_AMOUNT, amount, flag, id, integer, pathId, text, timestamp } from '../kit/http/declare/fields.ts';
import { sentences } from '../kit/http/read/validation.ts';
import { commandsOf, daysOf, userParams, usersBody, totalsOf } from './command-forms.ts';

/** The optional fields are absent for none. */
const obligations = z.object({
  open_withdrawals: z.int(),
  balance: z.int(),
  /** Refunds of deposits that are requested or on their way. */
  open_refunds: z.int().optional(),
  open_disputes: z.int().optional(),
  /** There is money, and the person may ask for it back. */
  refunds_offered: z.boolean().optional(),
});

/** Expiry of a freeze of an account, and that of an earlier freeze which it replaced. */
const freeze = z.object({ until: timestamp(), before: timestamp().nullable() });

/** Reference of a call's hold: `call:<identifier>`. */
const callReference = () => text().regex(/^call:[^:]+$/);

export const MAX_CHARGES = 128;
const MAX_STEP = 999_999_999;

/**
 * Payment for a step of a call: first from the hold, the rest from the available balance. `reference` is
 * `call:<identifier>:step:<step>`.
 */
const charge = z
  .object({
    reference: text(),
    hold: text(),
    student_id: id(),
    teacher_id: id(),
    amount: amount(),
    commission_percent: integer({ min: 0, max: 100 }),
    /** Amount to hold for the next step; 0 when there is none. */
    next_amount: integer({ min: 0, max: MAX_AMOUNT }),
    call: z.object({
      identifier: text().regex(/^[^:]+$/),
      call_type: openList(CALL_TYPES),
      step: integer({ min: 1 }),
    }),
    /** The request that caused the charge, for events, if it is not the current one. */
    context: z.object({ requestId: text().optional(), traceparent: text().optional() }).optional(),
  })
  .refine((asked) => asked.student_id !== asked.teacher_id, { path: ['teacher_id'], error: () => sentences.selected })
  .refine(
    ({ reference, call: { identifier, step } }) => step <= MAX_STEP && reference === `call:${identifier}:step:${step}`,
    {
      path: ['reference'],
    },
  )
  .refine(({ hold, call }) => hold === `call:${call.identifier}`, { path: ['hold'] });

/** Seconds until a hold expires, counted from its creation or last charge. */
const holdSeconds = z.int();

const states = z.object({ initiated: z.int(), pending: z.int(), success: z.int(), failed: z.int(), canceled: z.int() });
const movements = z.object({ count: z.int(), amount: z.int(), by_status: states });

const wallet = commandsOf('wallet');

export const walletCommands = {
  'balance.read': wallet('get /internal/balances/{user_id}', {
    callers: ['identity', 'messaging', 'calls'],
    params: z.object({ user_id: pathId() }),
    answer: events['balance.changed'].schema,
  }),
  /** The balances of several users, in the same order. */
  'balance.read-batch': wallet('post /internal/balances', {
    callers: ['identity'],
    body: usersBody,
    answer: z.array(events['balance.changed'].schema),
  }),
  /** Places a hold for a call. Idempotent: a repeat gets the same answer. */
  'hold.place': wallet('post /internal/holds', {
    callers: ['calls'],
    body: z.object({ reference: callReference(), user_id: id(), amount: amount() }),
    answer: z.object({
      reference: z.string(),
      held: z.int(),
      available: z.int(),
      expires_at: timestamp().nullable(),
      hold_seconds: holdSeconds,
    }),
  }),
  /** Releases the rest of a call's hold. */
  'hold.release': wallet('post /internal/holds/release', {
    callers: ['calls'],
    body: z.object({ reference: callReference() }),
    answer: z.object({ released: z.int() }),
  }),
  /** Charges steps of several calls. A reference is charged once, and each charge has its own verdict. */
  'charge.make-batch': wallet('post /internal/charges/batch', {
    callers: ['calls'],
    body: z.object({ charges: z.array(charge).min(1).max(MAX_CHARGES) }),
    /** In the order of the charges. `failed`: the outcome is unknown, so retry. Only `done` charges change a hold. */
    answer: z.array(
      z.object({
        verdict: openList(['done', 'repeated', 'refused', 'conflict', 'failed']),
        charged: z.int(),
        /** If less than the requested `next_amount`, the next step is not covered. */
        reserved: z.int(),
        available: z.int(),
        hold_seconds: holdSeconds.optional(),
      }),
    ),
  }),
  /** The ledger entries of a call. */
  'call-ledger.read': wallet('get /internal/calls/{identifier}/ledger', {
    callers: ['calls'],
    params: z.object({ identifier: z.string().max(255) }),
    /** In posting order; empty for a call without charges. */
    answer: z.object({
      currency: z.string(),
      charges: z.array(
        z.object({
          step: z.int(),
          amount: z.int(),
          commission: z.int(),
          reference: z.string(),
          created_at: timestamp(),
        }),
      ),
      refunds: z.array(z.object({ reference: z.string(), amount: z.int(), created_at: timestamp() })),
    }),
  }),
  /** Obligations that prevent the deletion of an account. */
  'obligations.read': wallet('get /internal/users/{id}/obligations', {
    callers: ['identity'],
    params: userParams,
    answer: obligations,
  }),
  /** Checks obligations; if there are none, freezes the account while identity deletes it. */
  'obligations.check': wallet('post /internal/users/{id}/obligations', {
    callers: ['identity'],
    params: userParams,
    body: z.object({ forfeit: flag().default(false) }),
    /** `frozen` is set if there are no obligations. */
    answer: obligations.extend({ frozen: freeze.optional() }),
  }),
  /** Ends a freeze when identity does not delete the account after all. */
  'account.thaw': wallet('post /internal/users/{id}/thaw', {
    callers: ['identity'],
    params: userParams,
    body: freeze,
    answer: z.object({}),
  }),
  /** Closes an account and posts its remaining balance to the platform, except held money. */
  'balance.forfeit': wallet('post /internal/users/{id}/forfeit', {
    callers: ['identity'],
    params: userParams,
    answer: z.object({ forfeited: z.int() }),
  }),
  /** Totals of deposits, withdrawals and charges. */
  'wallet-stats.read': totalsOf('wallet', {
    deposits: movements,
    withdrawals: movements,
    revenue: z.int(),
    commission: z.int(),
  }),
  /** Amounts by day. */
  'wallet-days.read': daysOf('wallet', {
    deposits: z.int(),
    withdrawals: z.int(),
    charged: z.int(),
    commission: z.int(),
    refunded: z.int(),
  }),
};
