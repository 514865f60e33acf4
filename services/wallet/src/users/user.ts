import { z } from 'zod';

/** What money records show of their user. */
export const userSummary = z.strictObject({
  id: z.int(),
  name: z.string(),
  email: z.string(),
  phone_number: z.string(),
});
export type UserSummary = z.infer<typeof userSummary>;

/** What this service keeps of a student or teacher. */
export interface UserCopy extends UserSummary {
  status: 'active' | 'banned';
  deleted: boolean;
}
