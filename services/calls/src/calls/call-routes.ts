import { z } from 'zod';
import { id, text, timestamp, uuid } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { serviceObject } from '../catalogue/service.ts';
import type { Billing } from '../meter/bill-service.ts';
import type { Rtc } from '../provider/rtc.ts';
import { texts } from '../texts.ts';
import type { Acceptance } from './accept-service.ts';
import type { Ending } from './end-service.ts';
import type { Joining } from './join-service.ts';
import { CALL_TYPES } from './life-cycle.ts';
import type { Ringing } from './ring-service.ts';
import { presentTransaction, serviceOfCall, transactionObject } from './transaction.ts';

const callType = z.enum(CALL_TYPES);
const nothing = z.array(z.never());
const identifier = text();

export interface CallRouteDeps {
  ringing: Ringing;
  acceptance: Acceptance;
  billing: Billing;
  ending: Ending;
  joining: Joining;
  rtc: Rtc;
}

/** What students do with calls. */
export const studentCallRoutes = ({ ringing, rtc }: CallRouteDeps) => [
  route({
    method: 'post',
    path: '/api/call/init',
    summary: 'Call a teacher',
    description: 'Repeated while the call rings, the same call answers. The balance must cover the first step.',
    auth: 'student',
    body: z.object({ teacher_user_id: id(), call_type: callType }),
    response: z.strictObject({ message: z.string(), channel: z.string(), token: z.string() }),
    errors: ['payment_required', 'conflict', 'unavailable'],
    handle: async ({ caller, body }) => {
      const call = await ringing.init(caller.id, body.teacher_user_id, body.call_type);
      return { message: texts.initiated, channel: call.channel, token: rtc.of(call, caller.id) };
    },
  }),
  route({
    method: 'post',
    path: '/api/call/cancel',
    summary: 'Stop calling a teacher',
    auth: 'student',
    body: z.object({ teacher_user_id: id() }),
    response: nothing,
    errors: ['not_found'],
    handle: async ({ caller, body }) => {
      await ringing.cancel(caller.id, body.teacher_user_id);
      return [];
    },
  }),
];

/** What teachers do with calls. */
export const teacherCallRoutes = ({ ringing, acceptance, billing, rtc }: CallRouteDeps) => [
  route({
    method: 'post',
    path: '/api/call/accept',
    summary: 'Accept a ringing call',
    description: 'Reserves the first step and fixes the prices. Repeated, the same transaction answers.',
    auth: 'teacher',
    body: z.object({ student_user_id: id(), call_type: callType }),
    response: z.strictObject({
      transaction: transactionObject,
      service: serviceObject,
      channel: z.string(),
      token: z.string(),
    }),
    errors: ['not_found', 'payment_required', 'unavailable'],
    handle: async ({ caller, body }) => {
      const facts = await acceptance.accept(caller.id, body.student_user_id, body.call_type);
      return {
        transaction: presentTransaction(facts),
        service: serviceOfCall(facts),
        channel: facts.call.channel,
        token: rtc.of(facts.call, caller.id),
      };
    },
  }),
  route({
    method: 'post',
    path: '/api/call/reject',
    summary: 'Reject a ringing call',
    auth: 'teacher',
    body: z.object({ student_user_id: id() }),
    response: nothing,
    errors: ['not_found'],
    handle: async ({ caller, body }) => {
      await ringing.reject(caller.id, body.student_user_id);
      return [];
    },
  }),
  route({
    method: 'post',
    path: '/api/call/bill',
    summary: 'Charge the steps that are due',
    description:
      'The server owns the meter: every step that is due and not charged yet is charged once. Nothing due is a success.',
    auth: 'teacher',
    body: z.object({ identifier }),
    response: nothing,
    errors: ['not_found', 'conflict', 'payment_required', 'unavailable'],
    handle: async ({ caller, body }) => {
      await billing.bill(caller.id, body.identifier);
      return [];
    },
  }),
];

/** What both parties do with calls. */
export const participantCallRoutes = ({ ending, joining }: CallRouteDeps) => [
  route({
    method: 'post',
    path: '/api/call/end',
    summary: 'Hang up',
    auth: 'user',
    body: z.object({ room_uuid: uuid(), identifier }),
    response: nothing,
    errors: ['not_found'],
    handle: async ({ caller, body }) => {
      await ending.end(caller.id, body.identifier, body.room_uuid);
      return [];
    },
  }),
  route({
    method: 'post',
    path: '/api/call/token',
    summary: 'Get a token to join a live call',
    description: 'A fresh one when half of its life is over.',
    auth: 'user',
    body: z.object({ identifier }),
    response: z.strictObject({ channel: z.string(), token: z.string(), expires_at: timestamp() }),
    errors: ['not_found', 'conflict'],
    handle: ({ caller, body }) => joining.token(caller.id, body.identifier),
  }),
];
