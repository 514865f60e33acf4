import { z } from 'zod';
import { id } from '@tutoring/shared/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/http/declare/page';
import { CALL_STATES, CALL_TYPES, callFields, ENDS } from '../call/call.ts';

export const callFilter = z.object({
  ...pageFields,
  state: z.enum(CALL_STATES).optional().meta({ example: 'ended' }),
  call_type: z.enum(CALL_TYPES).optional().meta({ example: 'video' }),
  user_id: id().optional().meta({ example: 12 }),
  ...dayFields,
});

/** A call as shown to its two people and to administrators. */
export const callRow = callFields.extend({
  student_name: z.string().meta({ example: 'Awa Diallo' }),
  teacher_name: z.string().meta({ example: 'Kossi Mensah' }),
  student_photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
  teacher_photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
  refunded: z.int().meta({ description: 'What the student got back so far.', example: 0 }),
  ended_by: z
    .enum(ENDS)
    .nullable()
    .meta({
      description:
        'Who hung up, canceled or rejected; `money`: it ran out; `silence`: no bill was asked for during two steps; `ban`: ' +
        'one of the two was banned. Null while it goes on, and when nobody answered.',
      example: 'teacher',
    }),
});
export type CallRow = z.infer<typeof callRow>;
