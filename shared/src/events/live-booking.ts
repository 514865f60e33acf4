import { z } from 'zod';
import { times, timestamp } from '../http/declare/fields.ts';

/** A lesson that was booked, as both of its people see it. */
export const booking = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    student_id: z.int().meta({ example: 12 }),
    teacher_id: z.int().meta({ example: 7 }),
    student_name: z.string().meta({ example: 'Awa Diallo' }),
    teacher_name: z.string().meta({ example: 'Kossi Mensah' }),
    starts_at: timestamp(),
    ends_at: timestamp(),
    call_type: z.enum(['video', 'audio']),
    note: z.string().meta({ example: 'Quadratic equations' }),
    status: z.enum(['requested', 'confirmed', 'declined', 'canceled', 'missed', 'done']).meta({ example: 'confirmed' }),
    ...times,
  })
  .meta({ id: 'Booking' });

const ofBooking = { owner: 'calls', schema: booking } as const;

export const bookingEvents = {
  'booking.requested': {
    ...ofBooking,
    summary: 'A lesson is asked for',
    description: 'Sent to both. The teacher confirms or declines it.',
  },
  'booking.confirmed': {
    ...ofBooking,
    summary: 'A lesson is agreed',
    description: 'Sent to both.',
  },
  'booking.declined': {
    ...ofBooking,
    summary: 'A lesson is not agreed',
    description: 'Sent to both. By who was asked, or because the time came without an answer.',
  },
  'booking.canceled': {
    ...ofBooking,
    summary: 'A lesson is called off',
    description: 'Sent to both. By either of the two, with the `reason` if one was given; or by the system.',
    schema: booking.extend({
      reason: z.string().optional().meta({ description: 'Absent unless it was given.', example: 'I am ill.' }),
    }),
  },
  'booking.rescheduled': {
    ...ofBooking,
    summary: 'A lesson is moved',
    description: 'Sent to both. Who did not move it confirms or declines it.',
  },
  'booking.reminder': {
    ...ofBooking,
    summary: 'A lesson begins soon',
    description: 'Sent to both, an hour and ten minutes before, once each.',
  },
};
