import { z } from 'zod';

/** The part of a user that money records show. */
export const userSummary = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    email: z.string().meta({ example: 'awa@example.com' }),
    phone_number: z.string().meta({ example: '+22890112233' }),
  })
  .meta({ id: 'UserSummary' });
export type UserSummary = z.infer<typeof userSummary>;
