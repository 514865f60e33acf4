import { z } from 'zod';
import { times, timestamp } from '../kit/http/declare/fields.ts';
import { CALL_TYPES } from './call-types.ts';

/** A booked lesson, as its student and its teacher see it. */
export const booking = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    student_id: z.int().meta({ example: 12 }),
    teacher_id: z.int().meta({ example: 7 }),
    student_name: z.string().meta({ example: 'Awa Diallo' }),
    teacher_name: z.string().meta({ example: 'Kossi Mensah' }),
    starts_at: timestamp(),
    ends_at: timestamp(),
    proposed_starts_at: timestamp()
      .nullable()
      .meta({
        description:
          'Of a confirmed lesson: the time to which one side would like to move it, held until the other side answers. ' +
          'Null otherwise.',
        example: null,
      }),
    call_type: z.enum(CALL_TYPES),
    note: z.string().meta({ example: 'Quadratic equations' }),
    status: z.enum(['requested', 'confirmed', 'declined', 'canceled', 'missed', 'done']).meta({ example: 'confirmed' }),
    ...times,
  })
  .meta({ id: 'Booking' });
