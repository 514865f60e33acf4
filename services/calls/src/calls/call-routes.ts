import { z } from 'zod';
import { id, text, timestamp, uuid } from '@tutoring/shared/http/fields';
import { route } from '@tutoring/shared/http/route';
import { sentences } from '@tutoring/shared/http/validation';
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
const identifier = text().meta({ example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' });

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
    description:
      'For students. Rings at the teacher until `call_ring_timeout_seconds` have passed. Repeated while it ' +
      'rings, the same call answers. 402 when the balance does not cover the first step; 409 when one of the ' +
      'two is in a call or the teacher cannot be called; 429 after `max_free_rings` rings of the same teacher ' +
      'within 10 minutes that cost nothing. The token lives for the ring, the time that the balance pays (at ' +
      "most 4 hours) and a minute. `channel` is the room's uuid: `call/end` wants it.",
    auth: 'student',
    body: z.object({ teacher_user_id: id().meta({ example: 7 }), call_type: callType }),
    rules: async ({ fields: { teacher_user_id: teacherId } }) =>
      teacherId === undefined || (await ringing.isTeacher(teacherId))
        ? []
        : [[['teacher_user_id'], sentences.selected]],
    response: z.strictObject({
      message: z.string().meta({ example: 'It is done.' }),
      channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
      token: z.string().meta({ example: '007eJxTYNi5' }),
    }),
    errors: ['payment_required', 'conflict', 'rate_limited', 'unavailable'],
    handle: async ({ caller, body }) => {
      const call = await ringing.init(caller.id, body.teacher_user_id, body.call_type);
      return { message: texts.initiated, channel: call.channel, token: rtc.of(call, caller.id) };
    },
  }),
  route({
    method: 'post',
    path: '/api/call/cancel',
    summary: 'Stop calling a teacher',
    description: 'For students, while it rings. 404 when nothing rings. Both hear `call.canceled`; nothing is charged.',
    auth: 'student',
    body: z.object({ teacher_user_id: id().meta({ example: 7 }) }),
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
    description:
      'For teachers. Reserves the first step and fixes the prices; the meter runs from now. `student_user_id` ' +
      "and `call_type` are those of the ringing call, else 404. 402 when the student's money is gone: the call " +
      'is canceled then. Repeated, the same transaction answers.',
    auth: 'teacher',
    body: z.object({ student_user_id: id().meta({ example: 12 }), call_type: callType }),
    response: z.strictObject({
      transaction: transactionObject,
      service: serviceObject,
      channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
      token: z.string().meta({ example: '007eJxTYNi5' }),
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
    description:
      'For teachers. 404 when nothing rings from that student. Both hear `call.rejected`; nothing is charged.',
    auth: 'teacher',
    body: z.object({ student_user_id: id().meta({ example: 12 }) }),
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
      "For the call's teacher, about once a step. The server owns the meter: every step that is due and not " +
      'charged yet is charged once; nothing due is a success. Without a bill for two steps the call ends. A ' +
      "call that is unknown, not the caller's, over or out of money is refused with `statusCode` 500 and the " +
      'reason; out of money ends it.',
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
    description:
      'For both people of the call. Fixes the end at once; what was due by then is still charged and the rest ' +
      "of the reserve released. Repeated, it is a success. A call or room that is not the caller's is a 404, a " +
      'malformed or unknown one a 422.',
    auth: 'user',
    body: z.object({ room_uuid: uuid().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }), identifier }),
    rules: ({ fields }) => ending.unknown(fields),
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
    description:
      "For both people of the call: a fresh provider token when half of the old one's life is over, for what " +
      "the balance still pays (at most 4 hours) and a minute. 404 when the call is not the caller's, 409 when " +
      'it is over.',
    auth: 'user',
    body: z.object({ identifier }),
    response: z.strictObject({
      channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
      token: z.string().meta({ example: '007eJxTYNi5' }),
      expires_at: timestamp(),
    }),
    errors: ['not_found', 'conflict'],
    handle: ({ caller, body }) => joining.token(caller.id, body.identifier),
  }),
];
