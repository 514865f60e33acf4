import { z } from 'zod';
import { contact } from '../kit/http/declare/contacts.ts';
import { times } from '../kit/http/declare/fields.ts';

/* Rooms and messages as students and teachers see them: in answers, live events and exports. */

/** The kinds of attachments. */
export const FILE_TYPES = ['image', 'audio', 'video', 'file'] as const;

/** A message as both participants of its room see it. */
export const message = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    room_uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    sender_id: z.int().meta({ example: 12 }),
    message: z.string().meta({ example: 'Bonjour' }),
    time: z.string().meta({ example: '5 minutes ago' }),
    status: z.enum(['read', 'unread']).meta({ example: 'unread' }),
    type: z.enum(['message', ...FILE_TYPES]),
    message_link: z.string().nullable().meta({ example: 'https://files.example.com/exercise.pdf' }),
    ...times,
  })
  .meta({ id: 'Message' });

export const studentSummary = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    email: contact('email'),
    level_study: z.string().nullable().meta({ example: 'Terminale' }),
    subjects_interest: z.string().meta({ example: 'Algebra' }),
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
  })
  .meta({ id: 'StudentSummary' });

export const teacherSummary = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Kossi Mensah' }),
    email: contact('email'),
    domains: z.string().meta({ description: 'Names of skills, joined by ", ".', example: 'Mathematics, Physics' }),
    experience: z.int().meta({ example: 4 }),
    availability: z.string().nullable().meta({ example: 'Weekdays after 5 pm' }),
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
  })
  .meta({ id: 'TeacherSummary' });

export const room = z
  .strictObject({
    uuid: z.string().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    rtc_token: z
      .string()
      .nullable()
      .meta({ description: 'Token of the live call; null when there is none.', example: '007eJxTYNi5' }),
    student: studentSummary,
    teacher: teacherSummary,
    last_message: message.nullable(),
    ...times,
  })
  .meta({ id: 'Room' });
