import { z } from 'zod';
import {
  openList,
  subjectsOf,
  type DataOf,
  type EventDeclaration,
  type InputOf,
  type NameIn,
} from '../kit/events/catalogue.ts';
import { LANGUAGES } from '../kit/process/language.ts';
import type { ServiceName } from './names.ts';
import { CALL_TYPES } from './call-types.ts';

/*
 * Every event of the system, with the service that owns and publishes it. CONSUMES below lists the consumers. Names are
 * in the past tense; schemas only gain optional fields.
 * An older release skips an event with a value that its `z.enum` does not have, and keeps one of an `openList`.
 */

const timestamp = z.string();
const times = { created_at: timestamp, updated_at: timestamp };

const fact = <Shape extends z.ZodRawShape>(owner: string, key: string, shape: Shape) => ({
  kind: 'fact' as const,
  owner,
  stream: 'events' as EventDeclaration['stream'],
  key,
  schema: z.object(shape),
});

const snapshot = <Shape extends z.ZodRawShape>(owner: string, key: string, shape: Shape) => ({
  ...fact(owner, key, { ...shape, version: z.int() }),
  kind: 'snapshot' as const,
});

const money = {
  id: z.int(),
  user_id: z.int(),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['initiated', 'pending', 'success', 'failed', 'canceled']),
  method: z.string().nullable(),
  ...times,
  ref: z.string().nullable(),
};

export const catalogue = {
  /** A student or teacher who has been verified at least once. Also published at deletion, with a pseudonym. */
  'user.changed': snapshot('identity', 'id', {
    id: z.int(),
    platform: z.enum(['student', 'teacher']),
    status: openList(['active', 'banned']),
    deleted: z.boolean(),
    name: z.string(),
    /** Empty until the user has proven to own the address. */
    email: z.string(),
    /** An address whose owner has not entered a code yet. Show it only to the user and to administrators. */
    unproven_email: z.string().optional(),
    phone_number: z.string(),
    photo: z.string(),
    address: z.string(),
    city: z.string(),
    country: z.string(),
    about_me: z.string(),
    level_study: z.string().nullable(),
    subjects_interest: z.string(),
    plan_id: z.int().nullable(),
    /** Names of the skills, in order. */
    domains: z.array(z.string()),
    experience: z.int(),
    availability: z.string(),
    bio: z.string().nullable(),
    verified: z.boolean(),
    ...times,
  }),
  /** Device keys of a user's valid tokens, and the language of what is sent to them; also of a user without keys. */
  'devices.changed': snapshot('identity', 'user_id', {
    user_id: z.int(),
    device_keys: z.array(z.string()),
    language: openList(LANGUAGES).optional(),
  }),
  'admin.changed': snapshot('identity', 'id', {
    id: z.int(),
    name: z.string(),
    email: z.string(),
    status: z.enum(['active', 'inactive']),
    level: z.string(),
    /** Of level `default`; absent in events of older releases, whose administrators have the role `all`. */
    roles: z.array(z.string()).optional(),
    ...times,
  }),
  'setting.changed': snapshot('identity', 'name', { name: z.string(), value: z.int() }),
  'plan.changed': snapshot('identity', 'id', {
    id: z.int(),
    name: z.string(),
    points: z.int(),
    image_cost: z.int(),
    deleted: z.boolean(),
    ...times,
  }),
  /**
   * Revoked tokens; gateways drop them from their caches. Empty `token_ids`: all tokens of the subject. Revocations have
   * a separate stream, so that other events cannot push them out. No service consumes them.
   */
  'tokens.revoked': {
    ...fact('identity', 'subject', {
      /** `user:12` or `admin:3`. */
      subject: z.string(),
      token_ids: z.array(z.int()),
    }),
    stream: 'revocations',
  },

  'deposit.changed': snapshot('wallet', 'id', money),
  'withdrawal.changed': snapshot('wallet', 'id', { ...money, account: z.string().nullable() }),
  /** `available` = balance - held, in the smallest unit of the currency. */
  'balance.changed': snapshot('wallet', 'user_id', {
    user_id: z.int(),
    balance: z.int(),
    held: z.int(),
    available: z.int(),
    currency: z.string(),
  }),
  /** News about a person's own money, sent by mail and push. */
  'money.announced': fact('wallet', 'user_id', {
    user_id: z.int(),
    what: z.enum([
      'refund_sent',
      'refund_success',
      'refund_failed',
      'refund_rejected',
      'account_added',
      'payout_paid',
      'payout_failed',
      'payout_returned',
    ]),
    /** Of the refund. */
    id: z.int().optional(),
    /** Absent for `account_added`. */
    amount: z.int().optional(),
    currency: z.string().optional(),
    /** The reason that the person reads. */
    details: z.string().optional(),
  }),
  /** Total refunds of a call to its student; the version is the number of refunds. */
  'refunds.changed': snapshot('wallet', 'identifier', { identifier: z.string(), refunded: z.int() }),

  'room.changed': snapshot('messaging', 'uuid', {
    uuid: z.string(),
    student_id: z.int(),
    teacher_id: z.int(),
    ...times,
  }),

  /** A user blocked (`active`) or unblocked another user. Not published when an account is deleted. */
  'block.changed': snapshot('messaging', 'id', {
    id: z.int(),
    user_id: z.int(),
    blocked_id: z.int(),
    active: z.boolean(),
    created_at: timestamp,
  }),

  'call.changed': snapshot('calls', 'identifier', {
    identifier: z.string(),
    state: openList(['ringing', 'active', 'ended', 'rejected', 'missed', 'canceled']),
    call_type: openList(CALL_TYPES),
    /** The room's uuid. */
    channel: z.string(),
    student_id: z.int(),
    teacher_id: z.int(),
    steps: z.int(),
    total_cost: z.int(),
    total_duration: z.int().nullable(),
    created_at: timestamp,
    accepted_at: timestamp.nullable(),
    ended_at: timestamp.nullable(),
    /** When the ringing times out. */
    ring_expires_at: timestamp,
  }),
  /** Number of a teacher's visible reviews, and the sum of their ratings. */
  'rating.changed': snapshot('calls', 'teacher_id', { teacher_id: z.int(), reviews: z.int(), stars: z.int() }),
  /** A push notification about a booking. */
  'booking.announced': fact('calls', 'booking_id', {
    booking_id: z.int(),
    turn: z.enum(['requested', 'confirmed', 'declined', 'canceled', 'rescheduled', 'reminder']),
    /** The user who acted; absent when the system did. */
    by_user_id: z.int().optional(),
    /** True for the first notification about a booking. */
    is_new: z.boolean().optional(),
    /** The recipients, each with the name of the other participant. */
    to: z.array(z.object({ user_id: z.int(), from: z.string() })),
    /** Start of the lesson; for a confirmed lesson that one side wants to move, the proposed start. */
    starts_at: timestamp,
    /** Start of a confirmed lesson that stays where it was, because `starts_at` was proposed and declined. */
    stays_at: timestamp.optional(),
    time_zone: z.string(),
    reason: z.string().optional(),
    /** Of a reminder: minutes until the lesson starts. */
    minutes: z.int().optional(),
  }),
  'service.changed': snapshot('calls', 'id', {
    id: z.int(),
    name: z.string(),
    iterator: z.int(),
    base_cost: z.int(),
    iterator_cost: z.int(),
    deleted: z.boolean(),
    ...times,
  }),

  /** An administrator changed something, in any service; identity keeps the log. */
  'admin.acted': fact('*', 'subject', {
    admin_id: z.int(),
    admin_name: z.string(),
    /** `withdrawal.updated` */
    action: z.string(),
    /** `withdrawal:12` */
    subject: z.string(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
    request_id: z.string(),
    acted_at: timestamp,
  }),
} as const;

export type EventName = NameIn<typeof catalogue>;
export type EventData<Name extends EventName> = DataOf<typeof catalogue, Name>;
export type EventInput<Name extends EventName> = InputOf<typeof catalogue, Name>;

export const { subjectOf, hasManyPublishers } = subjectsOf(catalogue);

/**
 * The events that each service subscribes to. Identity creates the consumers; no other NATS user has the permission.
 */
export const CONSUMES: Record<ServiceName, EventName[]> = {
  identity: ['admin.acted', 'balance.changed', 'call.changed', 'rating.changed', 'money.announced'],
  wallet: ['user.changed', 'setting.changed'],
  messaging: [
    'user.changed',
    'balance.changed',
    'devices.changed',
    'setting.changed',
    'call.changed',
    'booking.announced',
    'money.announced',
    'admin.changed',
  ],
  calls: ['user.changed', 'plan.changed', 'setting.changed', 'room.changed', 'block.changed', 'refunds.changed'],
};
