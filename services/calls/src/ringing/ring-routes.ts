import { z } from 'zod';
import { CALL_TYPES } from '@tutoring/shared/contract/call-types';
import { confirmation, id, emptyAnswer } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { mustExist } from '@tutoring/shared/kit/http/read/validation';
import type { Parts } from '../parts.ts';
import * as rtc from '../provider/rtc.ts';
import { serviceObject } from '../pricing/service.ts';
import { texts } from '../texts.ts';
import * as ringing from './ring-service.ts';
import { transactionObject } from './transaction.ts';

const callType = z.enum(CALL_TYPES);

export const ringRoutes = (parts: Parts) => [
  route('post /api/call/init', {
    summary: 'Call a teacher',
    description:
      'For students. Rings the teacher until `call_ring_timeout_seconds` have passed. A request that is repeated while ' +
      'the call rings returns the same call. 402 when the balance does not cover the first step; 409 when one of the ' +
      'two is in a call or the teacher cannot be called; 429 after `max_free_rings` rings of the same teacher within ' +
      '10 minutes that cost nothing. The token is valid for the ring, the time that the balance pays (at most 4 hours) ' +
      "and a minute. `channel` is the room's uuid, which `call/end` needs.",
    auth: 'student',
    body: z.object({ teacher_user_id: id().meta({ example: 7 }), call_type: callType }),
    rules: mustExist('teacher_user_id', parts.people.teacher),
    response: confirmation
      .extend({
        channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
        token: z.string().meta({ example: '007eJxTYNi5' }),
      })
      .meta({ id: 'NewCall' }),
    errors: ['payment_required', 'conflict', 'rate_limited'],
    handle: async ({ caller, body }) => {
      const call = await ringing.init(parts, caller.id, body.teacher_user_id, body.call_type);
      return { message: texts.initiated, channel: call.channel, token: rtc.tokenFor(parts, call, caller.id) };
    },
  }),
  route('post /api/call/cancel', {
    summary: 'Stop calling a teacher',
    description:
      'For students, while it rings. 404 when nothing rings. Both receive `call.canceled`; nothing is charged.',
    auth: 'student',
    body: z.object({ teacher_user_id: id().meta({ example: 7 }) }),
    response: emptyAnswer,
    errors: ['not_found'],
    handle: ({ caller, body }) => ringing.cancel(parts, caller.id, body.teacher_user_id).then(() => []),
  }),
  route('post /api/call/accept', {
    summary: 'Accept a ringing call',
    description:
      'For teachers. Reserves the cost of the first step and fixes the prices; the meter starts now. ' +
      '`student_user_id` and `call_type` are those of the ringing call, otherwise 404. 402 when the student cannot pay ' +
      'the first step: the call is canceled. A repeated request returns the same transaction.',
    auth: 'teacher',
    body: z.object({ student_user_id: id().meta({ example: 12 }), call_type: callType }),
    response: z
      .strictObject({
        transaction: transactionObject,
        service: serviceObject,
        channel: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
        token: z.string().meta({ example: '007eJxTYNi5' }),
      })
      .meta({ id: 'AcceptedCall' }),
    errors: ['not_found', 'payment_required'],
    handle: async ({ caller, body }) => {
      const { call, transaction } = await ringing.accept(parts, caller.id, body.student_user_id, body.call_type);
      const token = rtc.tokenFor(parts, call, caller.id);
      return { transaction, service: transaction.service, channel: call.channel, token };
    },
  }),
  route('post /api/call/reject', {
    summary: 'Reject a ringing call',
    description:
      'For teachers. 404 when nothing rings from that student. Both receive `call.rejected`; nothing is charged.',
    auth: 'teacher',
    body: z.object({ student_user_id: id().meta({ example: 12 }) }),
    response: emptyAnswer,
    errors: ['not_found'],
    handle: ({ caller, body }) => ringing.reject(parts, caller.id, body.student_user_id).then(() => []),
  }),
];
