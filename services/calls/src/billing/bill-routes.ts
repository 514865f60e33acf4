import { z } from 'zod';
import { emptyAnswer, uuid } from '@tutoring/shared/kit/http/declare/fields';
import { route } from '@tutoring/shared/kit/http/declare/route';
import { identifier } from '../call/call.ts';
import { recordSignOfLife } from './alive-service.ts';
import { bill, type BillParts } from './bill-service.ts';
import { endCall, unknownFields } from './end-service.ts';

export const billRoutes = (parts: BillParts) => [
  route('post /api/call/bill', {
    summary: 'Charge the steps that are due',
    description:
      "For the call's teacher, about once a step. The server owns the meter: every step that is due and not " +
      'charged yet is charged once; when no step is due, the request succeeds. Without a bill for two steps the call ' +
      'ends. Where `require_student_alive` is 1, no step is due before the first `call/alive` of the student. A call ' +
      "that is unknown, not the caller's, over or out of money is refused with `statusCode` 500 and the reason. Lack " +
      'of money ends the call.',
    auth: 'teacher',
    body: z.object({ identifier }),
    response: emptyAnswer,
    errors: ['not_found', 'conflict', 'payment_required'],
    handle: ({ caller, body }) => bill(parts, caller.id, body.identifier).then(() => []),
  }),
  route('post /api/call/alive', {
    summary: 'Report that the student is still in the call',
    description:
      "For the call's student, about once in half a step while the call is on the screen. After the first sign of life, " +
      'two steps without one end the call, as two steps without a bill do. Where `require_student_alive` is 1, no step ' +
      'is charged before the first one, and two steps without any end the call at a cost of 0. Before the teacher has ' +
      "accepted, it has no effect. Somebody else's call is a 404, a call that is over a 409.",
    auth: 'student',
    body: z.object({ identifier }),
    response: emptyAnswer,
    errors: ['not_found', 'conflict'],
    handle: ({ caller, body }) => recordSignOfLife(parts, caller.id, body.identifier).then(() => []),
  }),
  route('post /api/call/end', {
    summary: 'Hang up',
    description:
      'For both people of the call. The call ends at once; the steps that were due by then are still charged, and the ' +
      "rest of the reserve is released. A repeated request succeeds. A call or room that is not the caller's is a 404, " +
      'a malformed or unknown one a 422.',
    auth: 'user',
    body: z.object({ room_uuid: uuid().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }), identifier }),
    rules: ({ fields }) => unknownFields(parts, fields),
    response: emptyAnswer,
    errors: ['not_found'],
    handle: ({ caller, body }) => endCall(parts, caller.id, body.identifier, body.room_uuid).then(() => []),
  }),
];
