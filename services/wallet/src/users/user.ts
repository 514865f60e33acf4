import { z } from 'zod';
import { contact } from '@tutoring/shared/kit/http/declare/contacts';

/** The part of a user that money records show. */
export const userSummary = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    email: contact('email'),
    phone_number: contact('phone_number'),
  })
  .meta({ id: 'UserSummary' });
export type UserSummary = z.infer<typeof userSummary>;
