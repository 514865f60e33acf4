import { z } from 'zod';
import { catalogue as events } from '../events/catalogue.ts';
import { MAX_AMOUNT, amount, flag, id, integer, pathId, text, timestamp } from '../http/declare/fields.ts';
import { sentences } from '../http/read/validation.ts';
import { commandsOf, daysOf, ofUser, ofUsers, totalsOf } from './define.ts';

const obligations = z.object({ open_withdrawals: z.int(), balance: z.int() });

/** A freeze of an account: until when, and until when an earlier one had frozen it. */
const freeze = z.object({ until: timestamp(), before: timestamp().nullable() });

/** `call:<identifier>`: the reference of a call's hold. */
const callReference = () => text().regex(/^call:[^:]+$/);

export const MAX_CHARGES = 128;

/** Payment for one step of a call: from the hold first, the rest from available money. */
const charge = z
  .object({
    reference: text().regex(/^call:[^:]+:step:[1-9]\d{0,8}$/),
    hold: callReference(),
    student_id: id(),
    teacher_id: id(),
    amount: amount(),
    commission_percent: integer({ min: 0, max: 100 }),
    /** Amount to hold for the next step; 0 when there is none. */
    next_amount: integer({ min: 0, max: MAX_AMOUNT }),
    call: z.object({
      identifier: text().regex(/^[^:]+$/),
      call_type: z.enum(['video', 'audio']),
      step: integer({ min: 1 }),
    }),
    /** The request that caused the events, when it is not this one. */
    context: z.object({ requestId: text().optional(), traceparent: text().optional() }).optional(),
  })
  .refine((asked) => asked.student_id !== asked.teacher_id, { path: ['teacher_id'], error: () => sentences.selected });

/** Seconds after which a hold expires, counted from its placing or last charge. */
const holdSeconds = z.int();

const states = z.object({ initiated: z.int(), pending: z.int(), success: z.int(), failed: z.int(), canceled: z.int() });
const movements = z.object({ count: z.int(), amount: z.int(), by_status: states });

const wallet = commandsOf('wallet');

/** The commands that wallet owns. */
export const walletCommands = {
  'balance.read': wallet('get /internal/balances/{user_id}', {
    callers: ['identity', 'messaging', 'calls'],
    params: z.object({ user_id: pathId() }),
    answer: events['balance.changed'].schema,
  }),
  /** The same of several users, in their order. */
  'balance.read-batch': wallet('post /internal/balances', {
    callers: ['identity'],
    body: ofUsers,
    answer: z.array(events['balance.changed'].schema),
  }),
  /** Hold money for a call; repeated, the same answer. */
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
  /** Release what is left of a call's hold. */
  'hold.release': wallet('post /internal/holds/release', {
    callers: ['calls'],
    body: z.object({ reference: callReference() }),
    answer: z.object({ released: z.int() }),
  }),
  /** Pay steps of several calls, each once per reference and with its own verdict. */
  'charge.make-batch': wallet('post /internal/charges/batch', {
    callers: ['calls'],
    body: z.object({ charges: z.array(charge).min(1).max(MAX_CHARGES) }),
    /**
     * In the order of the charges; `failed` means that the outcome is unknown: ask again. Only `done` charges touch a
     * hold.
     */
    answer: z.array(
      z.object({
        verdict: z.enum(['done', 'repeated', 'refused', 'conflict', 'failed']),
        charged: z.int(),
        /** Less than the requested next amount: the next step is not covered. */
        reserved: z.int(),
        available: z.int(),
        hold_seconds: holdSeconds.optional(),
      }),
    ),
  }),
  /** What a call has moved, by the ledger. */
  'call-ledger.read': wallet('get /internal/calls/{identifier}/ledger', {
    callers: ['calls'],
    params: z.object({ identifier: z.string().max(255) }),
    /** From the ledger, in the order of its postings; empty for a call that cost nothing. */
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
  /** What stands against deleting an account. */
  'obligations.read': wallet('get /internal/users/{id}/obligations', {
    callers: ['identity'],
    params: ofUser,
    answer: obligations,
  }),
  /** The same; when nothing stands against it, no new money moves while identity deletes the account. */
  'obligations.check': wallet('post /internal/users/{id}/obligations', {
    callers: ['identity'],
    params: ofUser,
    body: z.object({ forfeit: flag().default(false) }),
    /** `frozen` when nothing stands against it. */
    answer: obligations.extend({ frozen: freeze.optional() }),
  }),
  /** Ends a freeze, because identity does not delete the account. */
  'account.thaw': wallet('post /internal/users/{id}/thaw', {
    callers: ['identity'],
    params: ofUser,
    body: freeze,
    answer: z.object({}),
  }),
  /** Closes an account and posts what is left of its user's money to the platform; held money stays. */
  'balance.forfeit': wallet('post /internal/users/{id}/forfeit', {
    callers: ['identity'],
    params: ofUser,
    answer: z.object({ forfeited: z.int() }),
  }),
  /** Totals of deposits, withdrawals and charges. */
  'wallet-stats.read': totalsOf('wallet', {
    deposits: movements,
    withdrawals: movements,
    revenue: z.int(),
    commission: z.int(),
  }),
  /** What moved on each day. */
  'wallet-days.read': daysOf('wallet', {
    deposits: z.int(),
    withdrawals: z.int(),
    charged: z.int(),
    commission: z.int(),
    refunded: z.int(),
  }),
};
