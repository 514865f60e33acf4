import { z } from 'zod';
import { times, timestamp } from '../kit/http/declare/fields.ts';
import { named } from './named.ts';
import { message } from './room.ts';

/* The desk: support cases as the administrators with the right `desk` see them. */

export const CASE_STATES = ['open', 'snoozed', 'resolved'] as const;
export type CaseState = (typeof CASE_STATES)[number];

const caseRating = z
  .strictObject({
    score: z.int().meta({ example: 5 }),
    comment: z.string().nullable().meta({ example: 'Quick and friendly.' }),
  })
  .meta({ id: 'CaseRating' });

/** An episode in a person's support room. */
export const supportCase = z
  .strictObject({
    id: z.int().meta({ example: 31 }),
    room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    user: z
      .strictObject({
        id: z.int().meta({ example: 12 }),
        name: z.string().meta({ example: 'Awa Diallo' }),
        photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
        platform: z.enum(['student', 'teacher']),
      })
      .meta({ id: 'CaseUser' }),
    state: z.enum(CASE_STATES),
    assignee: named.nullable(),
    labels: z.array(z.string()).meta({ example: ['payment'] }),
    snoozed_until: timestamp()
      .nullable()
      .meta({ description: 'Null for a snoozed case that waits for the next message.' }),
    subject: z
      .string()
      .meta({ description: 'At first the start of the first message.', example: 'I paid twice for one lesson' }),
    waiting_since: timestamp()
      .nullable()
      .meta({ description: 'Time of the first message without an answer; null when the last word is ours.' }),
    first_reply_at: timestamp().nullable(),
    resolved_at: timestamp().nullable(),
    reopened: z.int().meta({ description: 'How often it was reopened.', example: 0 }),
    rating: caseRating.nullable(),
    last_message: message.nullable(),
    unread: z
      .int()
      .meta({ description: "The person's messages that no administrator has read; 1,000 for more.", example: 2 }),
    version: z.int().meta({ description: "Counts the administrators' changes.", example: 1 }),
    ...times,
  })
  .meta({ id: 'SupportCase' });

const PRESENCE_STATES = ['viewing', 'typing', 'left'] as const;

/** What an administrator does with a case at the moment. */
export const deskPresence = z
  .strictObject({
    case_id: z.int().meta({ example: 31 }),
    id: z.int().meta({ description: 'Of the administrator.', example: 3 }),
    name: z.string().meta({ example: 'Ada Min' }),
    state: z.enum(PRESENCE_STATES),
  })
  .meta({ id: 'DeskPresence' });

export const supportResolved = z
  .strictObject({
    case_id: z.int().meta({ example: 31 }),
    can_rate: z
      .boolean()
      .meta({ example: true, description: 'Whether `POST api/support/rating` accepts a rating now.' }),
  })
  .meta({ id: 'SupportResolved' });

/**
 * The address of live events that no outbox keeps: a service publishes them itself, and the relay, which compares the
 * stream with its outbox, must not find them at the address of its own.
 */
export const TRANSIENT_ADDRESS = 'admins.transient';
