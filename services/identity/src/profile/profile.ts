import { z } from 'zod';
import { email, flag, formatted, id, integer, text } from '@tutoring/shared/kit/http/declare/fields';
import { sentences } from '@tutoring/shared/kit/http/read/validation';
import { domains, password } from '../registration/registration.ts';
import { isWebUrl } from '../users/user.ts';

/** Null or "" clears the field; an omitted field does not change. */
const clearable = (example: string, max?: number) => text(max).nullable().optional().meta({ example });

const fields = z
  .object({
    name: text().optional().meta({ example: 'Awa Diallo' }),
    email: email().optional(),
    phone_number: text(50).optional().meta({ example: '+22890112233' }),
    /** The code sent to the new e-mail or phone number. */
    code: text(50).optional().meta({ example: '493021' }),
    /** The code sent to the old e-mail or phone number; for accounts without a password. */
    old_code: text(50).optional().meta({ example: '493021' }),
    password: password().optional(),
    current_password: z.string().max(1_000).optional().meta({ example: 'a good secret' }),
    photo: formatted('url', 2_048, isWebUrl)
      .nullable()
      .optional()
      .meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    address: clearable('12 rue des Cocotiers', 500),
    city: clearable('Lomé'),
    country: clearable('Togo'),
    about_me: clearable('I prepare pupils for the baccalauréat', 5_000),
    plan: id().optional().meta({ example: 1 }),
    domains: domains().optional(),
    experience: integer({ min: 0, max: 1_000 }).optional().meta({ example: 4 }),
    availability: clearable('Weekdays after 5 pm', 1_000),
    bio: clearable('Teaches mathematics with patience', 5_000),
    level_study: clearable('Terminale'),
    subjects_interest: clearable('Algebra', 1_000),
  })
  .meta({
    example: {
      address: '12 rue des Cocotiers',
      city: 'Lomé',
      country: 'Togo',
      about_me: 'I prepare pupils for the baccalauréat',
      bio: 'Teaches mathematics with patience',
    },
  });

export type ProfileInput = z.output<typeof fields>;

export const profileBody = fields.refine(
  (input: { password?: unknown; current_password?: unknown }) =>
    input.password === undefined || input.current_password !== undefined,
  { path: ['current_password'], error: () => sentences.requiredWith('password'), when: () => true },
);

export const deletionBody = z
  .object({
    password: z.string().max(1_000).optional().meta({ example: 'a good secret' }),
    code: text(50).optional().meta({ example: '493021' }),
    forfeit: flag().optional().meta({ example: false }),
  })
  .meta({ example: { password: 'a good secret' } });
export type DeletionInput = z.output<typeof deletionBody>;

/** The columns that need no further checks; `undefined` leaves a column unchanged. */
export function plainColumns(input: ProfileInput, platform: 'student' | 'teacher') {
  const { name, level_study, bio, experience } = input;
  const cleared = (value: string | null | undefined) => (value === null ? '' : value);
  return {
    ...{ name, level_study, bio, experience },
    address: cleared(input.address),
    city: cleared(input.city),
    country: cleared(input.country),
    about_me: cleared(input.about_me),
    subjects_interest: cleared(input.subjects_interest),
    availability: cleared(input.availability),
    plan_id: platform === 'teacher' ? input.plan : undefined,
  };
}
