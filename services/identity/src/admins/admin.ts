import { z } from 'zod';
import { email, pickFields, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import type { Language } from '@tutoring/shared/kit/process/language';
import { password } from '../registration/registration.ts';

export const adminView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Ada Mensah' }),
    email: z.string().meta({ example: 'awa@example.com' }),
    phone_number: z.string().nullable().meta({ example: '+22890112233' }),
    status: z.enum(['active', 'inactive']),
    level: z.string().meta({ example: 'default' }),
    created_at: timestamp().nullable(),
    updated_at: timestamp().nullable(),
  })
  .meta({ id: 'Admin' });

export const adminAccess = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    last_login_at: timestamp().nullable(),
    totp: z.boolean().meta({ example: true }),
    sessions: z.int().meta({ example: 2 }),
  })
  .meta({ id: 'AdminAccess' });
export type AdminAccess = z.infer<typeof adminAccess>;

export const newAdmin = z.object({
  name: text().meta({ example: 'Ada Mensah' }),
  email: email(),
  password: password(),
  phone_number: text(50).meta({ example: '+22890112233' }),
});
export type NewAdmin = z.output<typeof newAdmin>;

export const adminCredentials = z.object({
  email: text().optional().meta({ example: 'awa@example.com' }),
  password: text(1_000).optional().meta({ example: 'a good secret' }),
  code: z.string().optional().meta({ example: '493021' }),
});
export type AdminCredentials = z.output<typeof adminCredentials>;

export const currentPassword = () => text(1_000).meta({ example: 'a good secret' });
export const accountChange = newAdmin
  .omit({ phone_number: true })
  .partial()
  .extend({ current_password: currentPassword().optional() });
export type AccountChange = z.output<typeof accountChange>;

export const resetInput = z.object({
  email: text().meta({ example: 'awa@example.com' }),
  code: text(50).meta({ example: '493021' }),
  password: password(),
});
export type ResetInput = z.output<typeof resetInput>;

/** Level of a super administrator. Only this level may change administrators and settings. */
export const SUPER = 'su';
export const DEFAULT_LEVEL = 'default';

/** A row of `admin`. */
export interface Admin extends z.infer<typeof adminView> {
  email_key: string;
  password_hash: string;
  /** Language of the last authenticated request. */
  language: Language;
  version: number;
  created_at: string;
  updated_at: string;
}

/** Whether `admin` is a super administrator and no other one is active. */
export const isLastSuper = (admin: Admin, supers: Admin[]) =>
  admin.level === SUPER &&
  !supers.some((other) => other.level === SUPER && other.status === 'active' && other.id !== admin.id);

export const adminViewOf = (admin: Admin) => pickFields(adminView, admin);
