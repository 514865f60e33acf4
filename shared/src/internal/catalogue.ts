import { z } from 'zod';
import { catalogue as events } from '../events/catalogue.ts';
import { day, flag, id, integer, pathId, text, timestamp, uuid } from '../http/fields.ts';
import type { Method } from '../http/route.ts';
import { sentences } from '../http/validation.ts';
import { amount, MAX_AMOUNT } from '../money.ts';
import type { ProcessName, ServiceName } from '../process-names.ts';

/*
 * Every command that one process sends another: the owner's route and the caller's client both read it here. Two releases
 * run side by side, so fields are only ever added: optional ones to what is asked, any to what is answered.
 */

type Fields = z.ZodObject | undefined;

export interface Command<
  Owner extends ServiceName = ServiceName,
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends Fields = Fields,
  Answer extends z.ZodType = z.ZodType,
> {
  owner: Owner;
  method: Method;
  /** Parameters in braces. */
  path: string;
  /** Who may send it. */
  callers: readonly ProcessName[];
  /** What is not a record's name is a 404. */
  params?: Params;
  query?: Query;
  body?: Body;
  answer: Answer;
  /** How long a caller waits for the answer; one that has less time says so. */
  deadlineMs: number;
}

const define = <
  Owner extends ServiceName,
  Answer extends z.ZodType,
  Params extends Fields = undefined,
  Query extends Fields = undefined,
  Body extends Fields = undefined,
>(
  command: Command<Owner, Params, Query, Body, Answer>,
) => command;

/** A user waits for most of them, and the gateway gives a request 10 s. */
const PATIENCE_MS = 2_000;

const ofUser = z.object({ id: pathId() });
const obligations = z.object({ open_withdrawals: z.int(), balance: z.int() });

/** `call:<identifier>`: the reference of a call's hold. */
const callReference = () => text().regex(/^call:[^:]+$/);

export const MAX_CHARGES = 128;

/** A step of a call to be paid: from the hold first, from available money for the rest. */
const charge = z
  .object({
    reference: text().regex(/^call:[^:]+:step:[1-9]\d{0,8}$/),
    hold: callReference(),
    student_id: id(),
    teacher_id: id(),
    amount: amount(),
    commission_percent: integer({ min: 0, max: 100 }),
    /** What to hold for the next step; 0 when there is none. */
    next_amount: integer({ min: 0, max: MAX_AMOUNT }),
    call: z.object({
      identifier: text().regex(/^[^:]+$/),
      call_type: z.enum(['video', 'audio']),
      step: integer({ min: 1 }),
    }),
    /** The request that the events come from, when it is not this one. */
    context: z.object({ requestId: text().optional(), traceparent: text().optional() }).optional(),
  })
  .refine((asked) => asked.student_id !== asked.teacher_id, { path: ['teacher_id'], message: sentences.selected });

/** A hold that nobody touches ends so many seconds after it was placed or last charged. The release before does not say. */
const holdSeconds = z.int().optional();

/** `reserved` < the asked next amount tells that the next step is not covered. */
const charged = z.object({ charged: z.int(), reserved: z.int(), available: z.int() });

/** UTC days, both included; a day of which there is nothing to tell is left out of the answer. */
const days = z.object({ from: day(), to: day() });

const states = z.object({ initiated: z.int(), pending: z.int(), success: z.int(), failed: z.int(), canceled: z.int() });
const movements = z.object({ count: z.int(), amount: z.int(), by_status: states });

export const commands = {
  'token.verify': define({
    owner: 'identity',
    method: 'post',
    path: '/internal/tokens/verify',
    callers: ['gateway'],
    body: z.object({ token: z.string().max(200) }),
    answer: z.object({
      caller: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('user'), id: z.int(), platform: z.enum(['student', 'teacher']), tokenId: z.int() }),
        z.object({ kind: z.literal('admin'), id: z.int(), name: z.string(), level: z.string(), tokenId: z.int() }),
      ]),
      expires_at: timestamp().nullable(),
      /** An administrator who has to set up a second factor before anything else. */
      needs_totp: z.boolean().optional(),
      hold_seconds: holdSeconds,
    }),
    deadlineMs: PATIENCE_MS,
  }),
  'user.read': define({
    owner: 'identity',
    method: 'get',
    path: '/internal/users/{id}',
    callers: ['wallet', 'messaging', 'calls'],
    params: ofUser,
    answer: events['user.changed'].schema,
    deadlineMs: PATIENCE_MS,
  }),
  'plan.read': define({
    owner: 'identity',
    method: 'get',
    path: '/internal/plans/{id}',
    callers: ['calls'],
    params: z.object({ id: pathId() }),
    answer: events['plan.changed'].schema,
    deadlineMs: PATIENCE_MS,
  }),

  'balance.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/balances/{user_id}',
    callers: ['identity', 'messaging', 'calls'],
    params: z.object({ user_id: pathId() }),
    answer: events['balance.changed'].schema,
    deadlineMs: PATIENCE_MS,
  }),
  'hold.place': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/holds',
    callers: ['calls'],
    body: z.object({ reference: callReference(), user_id: id(), amount: amount() }),
    answer: z.object({
      reference: z.string(),
      held: z.int(),
      available: z.int(),
      expires_at: timestamp().nullable(),
      hold_seconds: holdSeconds,
    }),
    deadlineMs: PATIENCE_MS,
  }),
  'hold.release': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/holds/release',
    callers: ['calls'],
    body: z.object({ reference: callReference() }),
    answer: z.object({ released: z.int() }),
    deadlineMs: PATIENCE_MS,
  }),
  'charge.make': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/charges',
    callers: ['calls'],
    body: charge,
    answer: charged,
    deadlineMs: PATIENCE_MS,
  }),
  'charge.make-batch': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/charges/batch',
    callers: ['calls'],
    body: z.object({ charges: z.array(charge).min(1).max(MAX_CHARGES) }),
    /** In the order of the charges; `failed` means that nobody knows, and to ask again. Only what is `done` touches a hold. */
    answer: z.array(
      charged.extend({
        verdict: z.enum(['done', 'repeated', 'refused', 'conflict', 'failed']),
        hold_seconds: holdSeconds,
      }),
    ),
    deadlineMs: PATIENCE_MS,
  }),
  'charge.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/charges/{reference}',
    callers: ['calls'],
    params: z.object({ reference: z.string() }),
    answer: charged,
    deadlineMs: PATIENCE_MS,
  }),
  'call-ledger.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/calls/{identifier}/ledger',
    callers: ['calls'],
    params: z.object({ identifier: z.string().max(255) }),
    /** By the ledger, in the order of its postings; empty for a call that never cost anything. */
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
    deadlineMs: PATIENCE_MS,
  }),
  'obligations.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/users/{id}/obligations',
    callers: ['identity'],
    params: ofUser,
    answer: obligations,
    deadlineMs: PATIENCE_MS,
  }),
  'obligations.check': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/users/{id}/obligations',
    callers: ['identity'],
    params: ofUser,
    body: z.object({ forfeit: flag().default(false) }),
    answer: obligations,
    deadlineMs: PATIENCE_MS,
  }),
  'balance.forfeit': define({
    owner: 'wallet',
    method: 'post',
    path: '/internal/users/{id}/forfeit',
    callers: ['identity'],
    params: ofUser,
    answer: z.object({ forfeited: z.int() }),
    deadlineMs: PATIENCE_MS,
  }),
  'wallet-stats.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/stats',
    callers: ['identity'],
    answer: z.object({ deposits: movements, withdrawals: movements, revenue: z.int(), commission: z.int() }),
    deadlineMs: 500,
  }),
  'wallet-days.read': define({
    owner: 'wallet',
    method: 'get',
    path: '/internal/stats/days',
    callers: ['identity'],
    query: days,
    answer: z.array(
      z.object({
        date: z.string(),
        deposits: z.int(),
        withdrawals: z.int(),
        charged: z.int(),
        commission: z.int(),
        refunded: z.int(),
      }),
    ),
    deadlineMs: PATIENCE_MS,
  }),

  'messaging-stats.read': define({
    owner: 'messaging',
    method: 'get',
    path: '/internal/stats',
    callers: ['identity'],
    answer: z.object({ rooms: z.int(), messages: z.int() }),
    deadlineMs: 500,
  }),
  'messaging-days.read': define({
    owner: 'messaging',
    method: 'get',
    path: '/internal/stats/days',
    callers: ['identity'],
    query: days,
    answer: z.array(z.object({ date: z.string(), messages: z.int() })),
    deadlineMs: PATIENCE_MS,
  }),

  'room-token.read': define({
    owner: 'calls',
    method: 'get',
    path: '/internal/rooms/{uuid}/token',
    callers: ['messaging'],
    params: z.object({ uuid: uuid() }),
    query: z.object({ user_id: id().optional() }),
    answer: z.object({ rtc_token: z.string().nullable() }),
    deadlineMs: 300,
  }),
  /** Whose call it is. */
  'call.read': define({
    owner: 'calls',
    method: 'get',
    path: '/internal/calls/{identifier}',
    callers: ['messaging'],
    params: z.object({ identifier: z.string() }),
    answer: z.object({ student_id: z.int(), teacher_id: z.int() }),
    deadlineMs: PATIENCE_MS,
  }),
  'live-call.read': define({
    owner: 'calls',
    method: 'get',
    path: '/internal/users/{id}/live-call',
    callers: ['identity'],
    params: ofUser,
    answer: z.object({ live: z.boolean() }),
    deadlineMs: PATIENCE_MS,
  }),
  'calls-stats.read': define({
    owner: 'calls',
    method: 'get',
    path: '/internal/stats',
    callers: ['identity'],
    answer: z.object({ count: z.int(), active: z.int(), seconds: z.int() }),
    deadlineMs: 500,
  }),
  'calls-days.read': define({
    owner: 'calls',
    method: 'get',
    path: '/internal/stats/days',
    callers: ['identity'],
    query: days,
    answer: z.array(z.object({ date: z.string(), calls: z.int(), seconds: z.int() })),
    deadlineMs: PATIENCE_MS,
  }),
};

export type CommandName = keyof typeof commands;

/** The commands that a service owns. */
export type CommandOf<Owner extends ServiceName> = {
  [Name in CommandName]: (typeof commands)[Name]['owner'] extends Owner ? Name : never;
}[CommandName];

type Given<Schema> = [Extract<Schema, z.ZodObject>] extends [never]
  ? Record<never, never>
  : z.output<Extract<Schema, z.ZodObject>>;

/** What the owner's handler gets. */
export interface CommandInput<Name extends CommandName> {
  params: Given<(typeof commands)[Name]['params']>;
  query: Given<(typeof commands)[Name]['query']>;
  body: Given<(typeof commands)[Name]['body']>;
}

/** What the caller says: parameters, query and body in one. */
export type CommandData<Name extends CommandName> = object &
  CommandInput<Name>['params'] &
  CommandInput<Name>['query'] &
  CommandInput<Name>['body'];

export type CommandAnswer<Name extends CommandName> = z.output<(typeof commands)[Name]['answer']>;
