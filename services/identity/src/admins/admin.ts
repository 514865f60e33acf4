import { z } from 'zod';
import { email, pickFields, text, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { ALL_RIGHTS, DEFAULT_ROLES, ROLE_NAMES, rightsOf, type Role } from '@tutoring/shared/contract/rights';
import { SUPER } from '@tutoring/shared/kit/identity/rights';
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

const roleName = () => z.enum(ROLE_NAMES).meta({ example: 'support' });
const rightName = () => z.enum(ALL_RIGHTS).meta({ example: 'people' });

/** At least one role; a repeated role counts once. */
export const roleList = () =>
  z
    .array(z.enum(ROLE_NAMES))
    .min(1)
    .max(50)
    .meta({ example: ['support', 'finance'] });

export const roleView = z.strictObject({ name: roleName(), rights: z.array(rightName()) }).meta({ id: 'Role' });

/** What an administrator may do. */
export const ownRights = z
  .strictObject({
    level: z.string().meta({ example: 'default' }),
    roles: z.array(roleName()),
    rights: z.array(rightName()),
  })
  .meta({ id: 'OwnRights' });

export const adminAccess = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    last_login_at: timestamp().nullable(),
    totp: z.boolean().meta({ example: true }),
    sessions: z.int().meta({ example: 2 }),
    roles: z.array(roleName()),
  })
  .meta({ id: 'AdminAccess' });
export type AdminAccess = z.infer<typeof adminAccess>;

export const newAdmin = z.object({
  name: text().meta({ example: 'Ada Mensah' }),
  email: email(),
  password: password(),
  phone_number: text(50).meta({ example: '+22890112233' }),
  roles: roleList().optional(),
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
  .omit({ phone_number: true, roles: true })
  .partial()
  .extend({ current_password: currentPassword().optional() });
export type AccountChange = z.output<typeof accountChange>;

export const resetInput = z.object({
  email: text().meta({ example: 'awa@example.com' }),
  code: text(50).meta({ example: '493021' }),
  password: password(),
});
export type ResetInput = z.output<typeof resetInput>;

export const DEFAULT_LEVEL = 'default';

/** A row of `admin`. */
export interface Admin extends z.infer<typeof adminView> {
  email_key: string;
  password_hash: string;
  /** Language of the last authenticated request. */
  language: Language;
  /** What the roles are worth while the level is `default`. */
  roles: Role[];
  version: number;
  created_at: string;
  updated_at: string;
}

/** Whether `admin` is a super administrator and no other one is active. */
export const isLastSuper = (admin: Admin, supers: Admin[]) =>
  admin.level === SUPER &&
  !supers.some((other) => other.level === SUPER && other.status === 'active' && other.id !== admin.id);

/** The roles that an administrator has. A super administrator needs none and is shown with `all`. */
export const rolesOf = ({ level, roles }: Pick<Admin, 'level' | 'roles'>) => (level === SUPER ? DEFAULT_ROLES : roles);

export const ownRightsOf = (admin: Pick<Admin, 'level' | 'roles'>): z.input<typeof ownRights> => {
  const roles = rolesOf(admin);
  return { level: admin.level, roles, rights: rightsOf(admin.level, roles) };
};

export const adminViewOf = (admin: Admin) => pickFields(adminView, admin);
