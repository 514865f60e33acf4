import { z } from 'zod';
import { times } from '../kit/http/declare/fields.ts';
import { named } from './named.ts';

/** A report about a user, as administrators see it. */
export const adminReport = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    user_id: z.int().meta({ description: 'Who is reported.', example: 7 }),
    reason: z.enum(['spam', 'abuse', 'fraud', 'other']),
    details: z.string().meta({ example: 'He asked me to pay outside of the app.' }),
    room_uuid: z.string().nullable().meta({ example: '3f1d2a60-7c5b-5e0a-9a53-0f6a1c2b7d11' }),
    identifier: z
      .string()
      .nullable()
      .meta({ description: 'Of the call that it is about.', example: '0199f2c4-8a51-7c3e-b1d0-5a2f7e9c4410' }),
    status: z.enum(['open', 'resolved', 'rejected']),
    ...times,
    reporter: named,
    user: named,
    note: z.string().meta({ description: 'The administrators’ own.', example: 'Warned by mail.' }),
  })
  .meta({ id: 'AdminReport' });
