import { z } from 'zod';
import { LANGUAGES } from '../language.ts';
import type { ServiceName } from '../process-names.ts';

/*
 * Every event of the system: the map of who tells what; ARCHITECTURE.md lists who hears it. Names are past tense; a schema
 * only ever gains optional fields.
 *
 * A snapshot carries the whole public state of a noun and its version: a consumer ignores versions that it has passed
 * and accepts gaps. A fact is told once: the inbox alone decides.
 */

const timestamp = z.string();
const version = z.int();

const snapshot = <Shape extends z.ZodRawShape>(owner: string, key: string, shape: Shape) => ({
  kind: 'snapshot' as const,
  owner,
  /** Field that identifies the noun. */
  key,
  schema: z.object({ ...shape, version }),
});

const fact = <Shape extends z.ZodRawShape>(owner: string, key: string, shape: Shape) => ({
  kind: 'fact' as const,
  owner,
  key,
  schema: z.object(shape),
});

const money = {
  id: z.int(),
  user_id: z.int(),
  amount: z.int(),
  currency: z.string(),
  status: z.enum(['initiated', 'pending', 'success', 'failed', 'canceled']),
  method: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const catalogue = {
  /** A student or teacher, verified at least once; told again at every change, also when deleted (then pseudonymous). */
  'user.changed': snapshot('identity', 'id', {
    id: z.int(),
    platform: z.enum(['student', 'teacher']),
    status: z.enum(['active', 'banned']),
    deleted: z.boolean(),
    name: z.string(),
    /** Empty while it is not proven. */
    email: z.string(),
    /** Only for its owner and administrators: no code that was sent to it has come back. */
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
    created_at: timestamp,
    updated_at: timestamp,
  }),
  /** Device keys of a user's live tokens: where push goes, and in which language. */
  'devices.changed': snapshot('identity', 'user_id', {
    user_id: z.int(),
    device_keys: z.array(z.string()),
    language: z.enum(LANGUAGES).optional(),
  }),
  'admin.changed': snapshot('identity', 'id', {
    id: z.int(),
    name: z.string(),
    email: z.string(),
    status: z.enum(['active', 'inactive']),
    level: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  }),
  'setting.changed': snapshot('identity', 'name', { name: z.string(), value: z.int() }),
  'plan.changed': snapshot('identity', 'id', {
    id: z.int(),
    name: z.string(),
    points: z.int(),
    image_cost: z.int(),
    deleted: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  }),
  /** Bearers that are over; gateways purge them the moment it is relayed. An empty `token_ids` means all of the subject. */
  'tokens.revoked': fact('identity', 'subject', {
    /** `user:12` or `admin:3`. */
    subject: z.string(),
    token_ids: z.array(z.int()),
  }),

  'deposit.changed': snapshot('wallet', 'id', { ...money, ref: z.string().nullable() }),
  'withdrawal.changed': snapshot('wallet', 'id', {
    ...money,
    ref: z.string().nullable(),
    account: z.string().nullable(),
  }),
  /** `available` = balance - held, in the smallest unit of the currency. */
  'balance.changed': snapshot('wallet', 'user_id', {
    user_id: z.int(),
    balance: z.int(),
    held: z.int(),
    available: z.int(),
    currency: z.string(),
  }),
  /** What of a call was given back to its student so far; the version is the number of refunds. */
  'refunds.changed': snapshot('wallet', 'identifier', { identifier: z.string(), refunded: z.int() }),
  /** Not told any more: nobody heard it. It may still be in outboxes and streams of the release before. */
  'transfer.posted': fact('wallet', 'id', {
    id: z.int(),
    kind: z.string(),
    reference: z.string(),
    debit_account: z.string(),
    credit_account: z.string(),
    amount: z.int(),
    created_at: timestamp,
  }),
  /** Told when the state changes; the amount is that of the moment, later charges set it without a word. */
  'hold.changed': snapshot('wallet', 'reference', {
    reference: z.string(),
    user_id: z.int(),
    amount: z.int(),
    state: z.enum(['open', 'released', 'expired']),
    expires_at: timestamp,
  }),

  'room.changed': snapshot('messaging', 'uuid', {
    uuid: z.string(),
    student_id: z.int(),
    teacher_id: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  }),

  /** Somebody blocked somebody (`active`), or does no longer. Told at each of both, not when an account is deleted. */
  'block.changed': snapshot('messaging', 'id', {
    id: z.int(),
    user_id: z.int(),
    blocked_id: z.int(),
    active: z.boolean(),
    created_at: timestamp,
  }),

  'call.changed': snapshot('calls', 'identifier', {
    identifier: z.string(),
    state: z.enum(['ringing', 'active', 'ended', 'rejected', 'missed', 'canceled']),
    call_type: z.enum(['video', 'audio']),
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
    /** Until when it rings, unless it is answered or given up before. */
    ring_expires_at: timestamp.optional(),
  }),
  'service.changed': snapshot('calls', 'id', {
    id: z.int(),
    name: z.string(),
    iterator: z.int(),
    base_cost: z.int(),
    iterator_cost: z.int(),
    deleted: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
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

export type EventName = keyof typeof catalogue;

/** Revocations have a stream of their own, which nothing else can fill; services take in events of `events` only. */
export const subjectOf = (name: EventName) => (name === 'tokens.revoked' ? `revocations.${name}` : `events.${name}`);

/** On its way an event that every service may tell says who told it: `events.admin.acted.wallet`. */
export const isToldByAll = (name: string) =>
  Object.hasOwn(catalogue, name) && catalogue[name as EventName].owner === '*';

/** Where a service hears an event. Without its teller is how the release before tells what all may tell. */
export const subjectsFor = (name: EventName, consumer: ServiceName) => [
  subjectOf(name),
  ...(isToldByAll(name) ? [`${subjectOf(name)}.*`] : []),
  `resync.${consumer}.${name}`,
];

export type EventData<Name extends EventName> = z.infer<(typeof catalogue)[Name]['schema']>;

/** Which events each service listens to. Its consumer is made by identity from this; no other user of NATS may. */
export const HEARS: Record<ServiceName, EventName[]> = {
  identity: ['admin.acted', 'balance.changed', 'call.changed'],
  wallet: ['user.changed', 'setting.changed'],
  messaging: ['user.changed', 'balance.changed', 'devices.changed', 'setting.changed', 'call.changed'],
  calls: ['user.changed', 'plan.changed', 'setting.changed', 'room.changed', 'block.changed', 'refunds.changed'],
};
