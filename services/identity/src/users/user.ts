import { z } from 'zod';
import type { EventInput } from '@tutoring/shared/contract/events';
import { contact } from '@tutoring/shared/kit/http/declare/contacts';
import { pickFields, flag, text, times, timestamp } from '@tutoring/shared/kit/http/declare/fields';
import { dayFields, pageFields } from '@tutoring/shared/kit/http/declare/page';
import type { Language } from '@tutoring/shared/kit/process/language';

export const PLATFORMS = ['student', 'teacher'] as const;
const STATUSES = ['active', 'banned'] as const;
/** How an account logs in; the interface calls it `gauth_type`. */
export const METHODS = ['email', 'google', 'facebook', 'apple', 'phone_number'] as const;
export const isSocial = (method: string) => method === 'google' || method === 'apple' || method === 'facebook';

/** The user's own view. */
export const userView = z
  .strictObject({
    id: z.int().meta({ example: 12 }),
    name: z.string().meta({ example: 'Awa Diallo' }),
    email: contact('email'),
    phone_number: contact('phone_number'),
    platform: z.enum(PLATFORMS),
    gauth_type: z.enum(METHODS),
    solde: z.int().meta({ example: 4800 }),
    photo: z.string().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    address: contact('address'),
    city: z.string().meta({ example: 'Lomé' }),
    country: z.string().meta({ example: 'Togo' }),
    about_me: z.string().meta({ example: 'I prepare pupils for the baccalauréat' }),
    status: z.enum(STATUSES),
    level_study: z.string().nullable().meta({ example: 'Terminale' }),
    subjects_interest: z.string().meta({ example: 'Algebra' }),
    plan_id: z.int().nullable().meta({ example: 1 }),
    domains: z.string().meta({ example: 'Mathematics, Physics' }),
    experience: z.int().meta({ example: 4 }),
    availability: z.string().meta({ example: 'Weekdays after 5 pm' }),
    bio: z.string().nullable().meta({ example: 'Teaches mathematics with patience' }),
    verified: z.enum(['0', '1']),
    ...times,
  })
  .meta({ id: 'User' });
export type UserView = z.infer<typeof userView>;

const ban = z
  .strictObject({
    by: z
      .strictObject({ id: z.int().meta({ example: 1 }), name: z.string().meta({ example: 'Ada Mensah' }) })
      .meta({ id: 'Administrator' }),
    at: timestamp(),
    reason: z.string().meta({ example: 'Asked students to pay outside of the app.' }),
  })
  .meta({ id: 'Ban' });
export type Ban = z.infer<typeof ban>;

/** The administrators' view of a user. `banned` is null unless the user is banned and the ban was recorded. */
export const adminUserView = userView.extend({ banned: ban.nullable() }).meta({ id: 'AdminUser' });

export const userFilter = z.object({
  ...pageFields,
  status: z.enum(STATUSES).optional(),
  platform: z.enum(PLATFORMS).optional(),
  verified: flag().optional().meta({ example: true }),
  ...dayFields,
});
export type UserFilter = z.output<typeof userFilter>;

/** A change of a user by an administrator; `reason` is stored in the audit log and shown with a ban. */
export const standing = z.object({
  status: z.enum(STATUSES).optional(),
  verified: flag().optional().meta({ example: true }),
  reason: text(1000).optional().meta({ example: 'Asked students to pay outside of the app.' }),
});
export type Standing = z.output<typeof standing>;

/** A row of `account` with the names of its skills and the last received balance. */
export interface User extends Omit<UserView, 'solde' | 'domains' | 'verified'> {
  domains: string[];
  verified: boolean;
  /** Whether the owner has entered a code that was sent to the e-mail, or a provider has verified it. */
  email_proven: boolean;
  deleted: boolean;
  version: number;
  /** The balance from wallet's last event; null before the first. */
  available: number | null;
}

export const AVATAR_PATH = '/api/assets/avatar.png';
/** Prefix of `photo` in accounts with an uploaded photo. */
export const PHOTO_PATH = '/api/photos/';

export const isWebUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);

/** The photo as an absolute http(s) URL; the default photo for an empty or any other value. */
export function photoUrl(photo: string, publicUrl: string): string {
  const url = photo === '' ? null : URL.parse(photo, `${publicUrl}/`);
  const usable = url !== null && /^https?:$/.test(url.protocol) && /^(https?:\/\/|\/)/i.test(photo);
  return usable ? url.href : `${publicUrl}${AVATAR_PATH}`;
}

/** The stored form of a photo: uploads without this system's address, which may change; '' for the default photo. */
export function storedPhoto(photo: string, publicUrl: string): string {
  if (photo === `${publicUrl}${AVATAR_PATH}`) return '';
  return photo.startsWith(`${publicUrl}${PHOTO_PATH}`) ? photo.slice(publicUrl.length) : photo;
}

/** The stored values that a user's view shows. */
export type ShownUser = Omit<User, 'email_proven' | 'deleted' | 'version'>;

export const viewOf = (user: ShownUser, publicUrl: string): UserView =>
  pickFields(userView, {
    ...user,
    solde: user.available ?? 0,
    photo: photoUrl(user.photo, publicUrl),
    domains: user.domains.join(', '),
    verified: user.verified ? '1' : '0',
  });

/** The data of `user.changed`. */
export function snapshotOf(user: User, publicUrl: string): EventInput<'user.changed'> {
  const { available: _available, gauth_type: _method, email_proven: proven, email, photo, ...rest } = user;
  const addresses = proven ? { email } : { email: '', unproven_email: email };
  return { ...rest, ...addresses, photo: photoUrl(photo, publicUrl) };
}

/** The columns of an account for logins and changes of credentials. */
export interface Login extends Pick<
  User,
  'id' | 'platform' | 'gauth_type' | 'status' | 'name' | 'email' | 'phone_number' | 'verified'
> {
  /** Null while the e-mail is not proven. */
  email_key: string | null;
  phone_key: string | null;
  password_hash: string | null;
  /** Language of the last authenticated request. */
  language: Language;
}

/** The proven addresses of the account, as entered and as keys. Unproven ones may be somebody else's. */
export const provenAddresses = ({ gauth_type: method, email, email_key: key, phone_key: phone }: Login): string[] => [
  ...(key === null ? [] : [key, email]),
  ...(method === 'phone_number' && phone !== null ? [phone] : []),
];
