import { z } from 'zod';

/** What money records show of their user. */
export const userSummary = z.strictObject({
  id: z.int().meta({ example: 12 }),
  name: z.string().meta({ example: 'Awa Diallo' }),
  email: z.string().meta({ example: 'awa@example.com' }),
  phone_number: z.string().meta({ example: '+22890112233' }),
});
export type UserSummary = z.infer<typeof userSummary>;

/** What this service keeps of a student or teacher. */
export interface UserCopy extends UserSummary {
  status: 'active' | 'banned';
  deleted: boolean;
}
