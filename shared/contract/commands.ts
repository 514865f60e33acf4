import { z } from 'zod';
import { openList } from '../kit/events/catalogue.ts';
import type { AnswerOf, ReplyOf, RequestOf } from '../kit/commands/define.ts';
import { catalogue as events } from './events.ts';
import { id, pathId, text, timestamp, uuid } from '../kit/http/declare/fields.ts';
import type { Endpoint } from '../kit/http/declare/route.ts';
import { adminCaller, userCaller } from '../kit/identity/auth.ts';
import { LANGUAGES } from '../kit/process/language.ts';
import type { ServiceName } from './names.ts';
import { commandsOf, daysOf, userParams, usersBody, totalsOf } from './command-forms.ts';
import { walletCommands } from './wallet-commands.ts';

/*
 * All commands between processes; the owner's route and the caller's client use the same declaration. Two releases may
 * run at the same time, so only add fields: optional ones to requests, any to answers.
 */

/** Most tokens in one `token.verify-batch`. */
export const MAX_BATCH_TOKENS = 500;

/** The owner of a valid token, and when the token expires. */
const holder = z.object({
  caller: z.discriminatedUnion('kind', [userCaller, adminCaller]),
  expires_at: timestamp().nullable(),
  /** True for an administrator who must set up a second factor before anything else. */
  needs_totp: z.boolean().optional(),
});

const identity = commandsOf('identity');
const messaging = commandsOf('messaging');
const calls = commandsOf('calls');

/** A page of a person's data in the format of the public API. `next` is the `after` of the next page. */
const page = {
  query: z.object({ after: id().optional() }),
  answer: z.object({ items: z.array(z.looseObject({})), next: z.int().nullable() }),
};

const exported = <Owner extends ServiceName>(owner: Owner, at: Endpoint) =>
  commandsOf(owner)(at, { callers: ['identity'], params: userParams, ...page });

export const commands = {
  /** Verifies a bearer token. */
  'token.verify': identity('post /internal/tokens/verify', {
    callers: ['gateway'],
    /** `language`: of the current request, if identity should use it from now on for messages to the token's owner. */
    body: z.object({ token: z.string().max(200), language: openList(LANGUAGES).optional() }),
    answer: holder,
  }),
  /** Verifies cached tokens again. `holders` has the order of `tokens`, with null for a token that is not valid. */
  'token.verify-batch': identity('post /internal/tokens/verify-batch', {
    callers: ['gateway'],
    body: z.object({ tokens: z.array(z.string().max(200)).min(1).max(MAX_BATCH_TOKENS) }),
    answer: z.object({ holders: z.array(holder.nullable()) }),
  }),
  'user.read': identity('get /internal/users/{id}', {
    callers: ['wallet', 'messaging', 'calls'],
    params: userParams,
    answer: events['user.changed'].schema,
  }),
  /** The networks (/24, /48) from which a user signed in during the last 30 days, latest first. */
  'sign-ins.read': identity('get /internal/users/{id}/sign-ins', {
    callers: ['wallet'],
    params: userParams,
    answer: z.object({ sign_ins: z.array(z.object({ at: timestamp(), network: z.string() })) }),
  }),
  /**
   * Proves that a request comes from the owner of the account. Refuses without a right password or code; sends a code
   * if there is neither. A right code is used up.
   */
  'owner.prove': identity('post /internal/users/{id}/proof', {
    callers: ['wallet'],
    params: userParams,
    body: z.object({
      current_password: z.string().max(1_000).optional(),
      code: text().optional(),
      /** The client's address. */
      address: text(),
    }),
    answer: z.object({}),
  }),
  'plan.read': identity('get /internal/plans/{id}', {
    callers: ['calls'],
    params: z.object({ id: pathId() }),
    answer: events['plan.changed'].schema,
  }),

  ...walletCommands,

  // For identity, which exports a person's data.
  'statement.export': exported('wallet', 'get /internal/users/{id}/transactions'),
  'deposits.export': exported('wallet', 'get /internal/users/{id}/deposits'),
  'payout-accounts.export': exported('wallet', 'get /internal/users/{id}/payout-accounts'),
  'withdrawals.export': exported('wallet', 'get /internal/users/{id}/withdrawals'),
  'disputes.export': exported('wallet', 'get /internal/users/{id}/disputes'),
  'deposit-refunds.export': exported('wallet', 'get /internal/users/{id}/deposit-refunds'),
  'calls.export': exported('calls', 'get /internal/users/{id}/calls'),
  'reviews.export': exported('calls', 'get /internal/users/{id}/reviews'),
  'bookings.export': exported('calls', 'get /internal/users/{id}/bookings'),
  'files.export': exported('messaging', 'get /internal/users/{id}/files'),
  'cases.export': exported('messaging', 'get /internal/users/{id}/support-cases'),
  /** A user's rooms, including the support room. */
  'rooms.export': messaging('get /internal/users/{id}/rooms', {
    callers: ['identity'],
    params: userParams,
    query: z.object({ after: uuid().optional() }),
    answer: z.object({
      /** `wrote`: whether the person has written in this room. */
      items: z.array(z.object({ room: z.looseObject({ uuid: z.string() }), wrote: z.boolean() })),
      next: z.string().nullable(),
    }),
  }),
  /** The messages of a user in a room. */
  'messages.export': messaging('get /internal/users/{id}/rooms/{uuid}/messages', {
    callers: ['identity'],
    params: userParams.extend({ uuid: uuid() }),
    ...page,
  }),

  /** Numbers of rooms and messages. */
  'messaging-stats.read': totalsOf('messaging', { rooms: z.int(), messages: z.int() }),
  /** Messages of each day. */
  'messaging-days.read': daysOf('messaging', { messages: z.int() }),

  /** The provider token of a room's live call. For messaging 1.0, and for newer releases that run next to calls 1.0. */
  'room-token.read': calls('get /internal/rooms/{uuid}/token', {
    callers: ['messaging'],
    params: z.object({ uuid: uuid() }),
    query: z.object({ user_id: id().optional() }),
    answer: z.object({ rtc_token: z.string().nullable() }),
    deadlineMs: 300,
  }),
  /** The participants of a call. */
  'call.read': calls('get /internal/calls/{identifier}', {
    callers: ['messaging'],
    params: z.object({ identifier: z.string() }),
    answer: z.object({ student_id: z.int(), teacher_id: z.int() }),
  }),
  /** Whether the user is in a ringing or active call. */
  'live-call.read': calls('get /internal/users/{id}/live-call', {
    callers: ['identity'],
    params: userParams,
    answer: z.object({ live: z.boolean() }),
  }),
  /** For each user the room of their live call and their provider token; null without a call. */
  'live-call.read-batch': calls('post /internal/live-calls', {
    callers: ['messaging'],
    body: usersBody,
    answer: z.array(z.object({ room_uuid: z.string(), rtc_token: z.string() }).nullable()),
  }),
  /** The dashboard's figures of calls. */
  'calls-stats.read': totalsOf('calls', { count: z.int(), active: z.int(), seconds: z.int() }),
  /** Calls, bookings and reviews of each day. */
  'calls-days.read': daysOf('calls', {
    calls: z.int(),
    seconds: z.int(),
    bookings: z.int(),
    confirmed_bookings: z.int(),
    missed_bookings: z.int(),
    reviews: z.int(),
    stars: z.int(),
  }),
};

export type CommandName = keyof typeof commands;
export type CommandData<Name extends CommandName> = RequestOf<(typeof commands)[Name]>;
/** The answer as its owner gives it. */
export type CommandReply<Name extends CommandName> = ReplyOf<(typeof commands)[Name]>;
export type CommandAnswer<Name extends CommandName> = AnswerOf<(typeof commands)[Name]>;
