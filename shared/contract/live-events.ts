import { z } from 'zod';
import { timestamp } from '../kit/http/declare/fields.ts';
import type { ServiceName } from './names.ts';
import { booking } from './booking.ts';
import { CALL_TYPES } from './call-types.ts';
import { deskPresence, supportCase, supportResolved } from './desk.ts';
import { named } from './named.ts';
import { adminReport } from './report.ts';
import type { Right } from './rights.ts';
import { payoutBatch } from './payout.ts';
import { message, room } from './room.ts';

/*
 * Every live event (`GET api/events`): its publisher, its audience, and the public JSON for apps. The schemas type the
 * publishers and appear in the API reference; like all public answers they only gain fields. The relay sends `urgent`
 * events first, because users wait for them. Only an event with a `right` can be sent to administrators: to those who
 * have it when it is sent or replayed.
 */

const pair = { student_id: z.int().meta({ example: 12 }), teacher_id: z.int().meta({ example: 7 }) };

const calledOff = booking
  .extend({
    reason: z.string().optional().meta({ description: 'Absent unless it was given.', example: 'I am ill.' }),
  })
  .meta({ id: 'CanceledBooking' });

const call = {
  identifier: z.string().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
  channel: z.string().meta({ description: "The room's uuid.", example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
  call_type: z.enum(CALL_TYPES),
  ...pair,
};
/** Cost of a call so far. */
const cost = {
  steps: z.int().meta({ description: 'Charged steps.', example: 3 }),
  total_cost: z.int().meta({ example: 250 }),
};
const seconds = z.int().meta({ description: 'Seconds.', example: 130 });
const participant = named
  .extend({
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
  })
  .meta({ id: 'Participant' });
/** A call that ended before it was accepted; `reason` is set only when the system ended it. */
const unanswered = z
  .strictObject({
    ...call,
    reason: z
      .enum(['ban', 'payment_required'])
      .optional()
      .meta({ description: 'Why the system itself ended it; absent otherwise.' }),
  })
  .meta({ id: 'UnansweredCall' });

/** Declares live events of a service: texts for the API reference, and the payload. */
const eventBy =
  (owner: ServiceName, urgent = false) =>
  <Schema extends z.ZodType, Needed extends Right | undefined = undefined>(event: {
    summary: string;
    description: string;
    schema: Schema;
    right?: Needed;
  }) => ({ owner, urgent, ...event, right: event.right as Needed });
const byMessaging = eventBy('messaging');
const byCalls = eventBy('calls');
const urgently = eventBy('calls', true);
const byWallet = eventBy('wallet');

export const liveEvents = {
  'message.created': byMessaging({
    summary: 'Somebody wrote in a room',
    description: 'Sent to both people of the room, the sender too. The payload is the message as its room lists it.',
    schema: message,
  }),
  'message.read': byMessaging({
    summary: 'The other side has read',
    description:
      'Every message of the room up to the id `up_to` has been read. Sent to the people who wrote them; in a support room to administrators or the user.',
    right: 'desk',
    schema: z
      .strictObject({
        room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
        up_to: z.int().meta({ example: 1042 }),
      })
      .meta({ id: 'MessagesRead' }),
  }),
  'room.read': byMessaging({
    summary: 'A room was read on one of the own devices',
    description:
      'Every message of the others up to the id `up_to` has been read; `unread` are left in the room. Sent to who has ' +
      'read, for the other devices; of a support room to the user, or to administrators, for they read as one.',
    right: 'desk',
    schema: z
      .strictObject({
        room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
        up_to: z.int().meta({ example: 1042 }),
        unread: z.int().meta({ example: 0 }),
      })
      .meta({ id: 'RoomRead' }),
  }),
  'room.created': byMessaging({
    summary: 'A student and a teacher have a room now',
    description: 'Sent to both. The payload is the room as `GET api/rooms` lists it.',
    schema: room,
  }),
  'support.message': byMessaging({
    summary: 'Somebody wrote in a support room',
    description: 'Sent to administrators and the user concerned.',
    right: 'desk',
    schema: message,
  }),
  'support.resolved': byMessaging({
    summary: 'A question to support is resolved',
    description: 'Sent to the user who asked. An app may ask for a rating when `can_rate` is true.',
    schema: supportResolved,
  }),
  'desk.case': byMessaging({
    summary: 'A support case changed',
    description: 'Sent to administrators. The payload is the case as `POST api/admin/desk/casesall` lists it.',
    right: 'desk',
    schema: supportCase,
  }),
  'desk.presence': byMessaging({
    summary: 'An administrator opened, left or types in a support case',
    description: 'Sent to administrators, and never replayed. A state lasts 15 seconds unless it is sent again.',
    right: 'desk',
    schema: deskPresence,
  }),
  'report.created': byMessaging({
    summary: 'Somebody was reported',
    description: 'Sent to administrators. The payload is the report as `POST api/admin/reportsall` lists it.',
    right: 'trust',
    schema: adminReport,
  }),
  'call.ringing': urgently({
    summary: 'A student calls',
    description: 'Sent to the teacher. The call rings until `expires_at`; accept or reject it before.',
    schema: z
      .strictObject({ ...call, expires_at: timestamp(), student: participant, teacher: participant })
      .meta({ id: 'RingingCall' }),
  }),
  'call.accepted': urgently({
    summary: 'The teacher accepted',
    description: 'Sent to both. The meter runs from `accepted_at`.',
    schema: z.strictObject({ ...call, accepted_at: timestamp() }).meta({ id: 'CallAccepted' }),
  }),
  'call.rejected': urgently({
    summary: 'The teacher rejected',
    description: 'Sent to both. Nothing is charged.',
    schema: unanswered,
  }),
  'call.missed': urgently({
    summary: 'Nobody answered in time',
    description: 'Sent to both. Nothing is charged.',
    schema: unanswered,
  }),
  'call.canceled': urgently({
    summary: 'The call stopped ringing before anybody answered',
    description:
      'Sent to both. The student canceled; or `reason` says that the first step could not be paid, or that one of the two was banned.',
    schema: unanswered,
  }),
  'call.ended': urgently({
    summary: 'The call is over',
    description:
      'Sent to both, after the last `call.metered`. Only where a charge has to wait it comes later: `call.settled` has ' +
      'the final cost.',
    schema: z
      .strictObject({
        ...call,
        reason: z.enum(['student', 'teacher', 'silence', 'exhaustion', 'ban']).meta({
          description:
            'Who hung up; `silence`: no bill was asked for during two steps; `exhaustion`: the money ran out; `ban`: one of the two was banned.',
        }),
        ended_at: timestamp(),
        total_duration: seconds,
      })
      .meta({ id: 'CallEnded' }),
  }),
  // Urgent like `call.ended`, which must not overtake it: the two have different addresses.
  'call.low_balance': urgently({
    summary: 'The next step of the call is not covered',
    description: 'Sent to the student. Unless money arrives before `next_due_at`, the call ends then.',
    schema: z
      .strictObject({
        identifier: call.identifier,
        available: z.int().meta({ description: 'What the student can still spend.', example: 4800 }),
        next_due_at: timestamp(),
      })
      .meta({ id: 'LowBalance' }),
  }),
  'call.metered': byCalls({
    summary: 'A step of the call was charged',
    description:
      'Sent to both, once for each charged step. The next one falls due at `next_due_at`, should the call go on until ' +
      'then; it is null for a last step that the end of the call has charged.',
    schema: z
      .strictObject({ identifier: call.identifier, ...cost, next_due_at: timestamp().nullable() })
      .meta({ id: 'MeteredCall' }),
  }),
  'call.settled': byCalls({
    summary: 'Nothing more is charged for the call',
    description:
      'Sent to both, once, after `call.ended`: the last step is charged and the rest of the reserve released. ' +
      'The cost is final; only a refund can change what the student has paid.',
    schema: z
      .strictObject({
        identifier: call.identifier,
        ...cost,
        total_duration: seconds,
        ended_by: z.enum(['student', 'teacher', 'money', 'silence', 'ban']),
      })
      .meta({ id: 'SettledCall' }),
  }),
  'booking.requested': byCalls({
    summary: 'A lesson is asked for',
    description: 'Sent to both. The teacher confirms or declines it.',
    schema: booking,
  }),
  'booking.confirmed': byCalls({ summary: 'A lesson is agreed', description: 'Sent to both.', schema: booking }),
  'booking.declined': byCalls({
    summary: 'A lesson is not agreed',
    description:
      'Sent to both. By who was asked, or because the time came without an answer. With the `status` `confirmed`: only a ' +
      'proposed time is not agreed, or was withdrawn; the lesson stays as it was.',
    schema: booking,
  }),
  'booking.canceled': byCalls({
    summary: 'A lesson is called off',
    description: 'Sent to both. By either of the two, with the `reason` if one was given; or by the system.',
    schema: calledOff,
  }),
  'booking.rescheduled': byCalls({
    summary: 'A lesson is moved',
    description:
      'Sent to both. Who did not move it confirms or declines it. A confirmed lesson keeps its time until then: ' +
      '`proposed_starts_at` is the new one.',
    schema: booking,
  }),
  'booking.reminder': byCalls({
    summary: 'A lesson begins soon',
    description: 'Sent to both, an hour and ten minutes before, once each.',
    schema: booking,
  }),
  'payout.batch': byWallet({
    summary: 'A batch of payouts changed',
    description:
      'Sent to administrators, after every change of the batch and after results were applied. The payload is the batch ' +
      'as `GET api/admin/payout-batches/{id}` answers it.',
    right: 'money',
    schema: payoutBatch,
  }),
  'wallet.balance': byWallet({
    summary: 'The balance changed',
    description: 'Sent to its owner, after every deposit, charge, hold, withdrawal and refund.',
    schema: z
      .strictObject({
        balance: z.int().meta({ example: 5000 }),
        available: z.int().meta({ example: 4800 }),
        held: z.int().meta({ example: 200 }),
      })
      .meta({ id: 'Balance' }),
  }),
};

/** Events that any later urgent event about the same object supersedes: event name to the field that identifies it. */
export const SUPERSEDED_BY_NEXT: Partial<Record<LiveEvent, string>> = { 'call.ringing': 'identifier' };

export type LiveEvent = keyof typeof liveEvents;
export type LiveData<Name extends LiveEvent> = z.infer<(typeof liveEvents)[Name]['schema']>;

/** Recipients of a live event: one user, or a student and a teacher. */
type People = { user: number } | { student: number; teacher: number };
/** Recipients of a live event: people, or the administrators with the event's right. */
export type Audience = People | 'admins';

/** A live event with its recipients. */
export type LiveMessage = {
  [Name in LiveEvent]: {
    to: (typeof liveEvents)[Name]['right'] extends Right ? Audience : People;
    event: Name;
    data: LiveData<Name>;
  };
}[LiveEvent];

/**
 * Always two ids: the student's and the teacher's, or one user's id twice. So a student subscribes to `user.<id>.*`,
 * and a teacher to `user.*.<id>`.
 */
export function addressOf(to: Audience): string {
  if (to === 'admins') return 'admins';
  return 'user' in to ? `user.${to.user}.${to.user}` : `user.${to.student}.${to.teacher}`;
}
