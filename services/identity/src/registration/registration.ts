import { z } from 'zod';
import type { Reader } from '@tutoring/shared/kit/database/open';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { email, flag, id, integer, text } from '@tutoring/shared/kit/http/declare/fields';
import { sentences, type RuleViolation, type ValidFields } from '@tutoring/shared/kit/http/read/validation';
import { isLoginNumber } from '../delivery/delivery-service.ts';
import type { Parts } from '../parts.ts';
import { existingSkills, planExists } from '../catalogue/catalogue-store.ts';
import { commonPassword } from '../credentials/common-password.ts';
import { violations } from '../errors.ts';
import { texts } from '../texts.ts';
import { deviceNameField } from '../tokens/token.ts';
import { phoneKey } from '../users/phone.ts';
import { isSocial, METHODS, PLATFORMS } from '../users/user.ts';
import { loginByEmail, loginByPhone } from '../users/user-store.ts';

/** Ids of skills. */
export const domains = () =>
  z
    .array(id())
    .min(1)
    .max(50)
    .meta({ example: [1, 2] });
export const password = () => z.string().min(8).max(255).meta({ example: 'a good secret' });

const fields = z
  .object({
    name: text().meta({ example: 'Awa Diallo' }),
    email: email(),
    phone_number: text(50).meta({ example: '+22890112233' }),
    password: password().optional(),
    platform: z.enum(PLATFORMS),
    photo: text(2_048).optional().meta({ example: 'https://api.example.com/api/assets/avatar.png' }),
    address: text(500).optional().meta({ example: '12 rue des Cocotiers' }),
    city: text().optional().meta({ example: 'Lomé' }),
    country: text().optional().meta({ example: 'Togo' }),
    about_me: text(5_000).optional().meta({ example: 'I prepare pupils for the baccalauréat' }),
    gauth_type: z.enum(METHODS),
    gauth_token: text(8_192).optional().meta({ example: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMDk4In0.c2lnbmF0dXJl' }),
    nonce: text(1_024).optional().meta({ example: 'n-0S6_WzA2Mj' }),
    plan: id().optional().meta({ example: 1 }),
    domains: domains(),
    experience: integer({ min: 0, max: 1_000 }).optional().meta({ example: 4 }),
    availability: text(1_000).optional().meta({ example: 'Weekdays after 5 pm' }),
    bio: text(5_000).optional().meta({ example: 'Teaches mathematics with patience' }),
    /** Accepted and ignored: only an administrator verifies a teacher. */
    verified: flag().optional().meta({ example: true }),
    level_study: text().optional().meta({ example: 'Terminale' }),
    subjects_interest: text(1_000).optional().meta({ example: 'Algebra' }),
  })
  .meta({
    example: {
      name: 'Awa Diallo',
      email: 'awa@example.com',
      phone_number: '+22890112233',
      password: 'a good secret',
      platform: 'student',
      gauth_type: 'email',
      domains: [1, 2],
      experience: 4,
      bio: 'Teaches mathematics with patience',
    },
  });

export type Submission = z.output<typeof fields>;

/** Rules that depend on several fields. */
function conditionalRules(input: Partial<Record<keyof Submission, unknown>>): RuleViolation[] {
  const method = String(input.gauth_type);
  const needsToken = isSocial(method) && input.gauth_token === undefined;
  return violations(
    [method === 'email' && input.password === undefined, 'password', sentences.requiredWhen('gauth_type', 'email')],
    [needsToken, 'gauth_token', sentences.requiredWhen('gauth_type', method)],
    [input.platform === 'teacher' && input.plan === undefined, 'plan', sentences.requiredWhen('platform', 'teacher')],
  );
}

/** Violations for ids in `domains` that are not skills. */
export async function unknownDomains(reader: Reader, domains: (number | undefined)[] = []): Promise<RuleViolation[]> {
  if (domains.length === 0) return [];
  const ids = domains.filter((id) => id !== undefined);
  const known = await existingSkills(reader, ids);
  return domains.flatMap((id, index): RuleViolation[] =>
    id === undefined || known.has(id) ? [] : [[['domains', index], sentences.selected]],
  );
}

export const unknownPlan = async (reader: Reader, plan: number | undefined) =>
  violations([plan !== undefined && !(await planExists(reader, plan)), 'plan', sentences.selected]);

async function takenAddresses(parts: Parts, input: ValidFields<Submission>) {
  const { manager: reader } = parts.database;
  const { email: address, gauth_type: method, phone_number: phone } = input;
  const loginPhone = method === 'phone_number' ? phone : undefined;
  const key = loginPhone && phoneKey(loginPhone, parts.country);
  return violations(
    [address !== undefined && (await loginByEmail(reader, emailKey(address))), 'email', sentences.taken],
    [loginPhone !== undefined && !(key && isLoginNumber(parts, key)), 'phone_number', texts.phoneInvalid],
    [key && (await loginByPhone(reader, key)), 'phone_number', sentences.taken],
  );
}

/** The body of register; conditional rules are checked even if fields are invalid, so that all errors are returned. */
export const registerBody = fields.superRefine(
  (input: Record<string, unknown>, context) => {
    for (const [path, message] of conditionalRules(input)) context.addIssue({ code: 'custom', path, message });
  },
  { when: () => true },
);

/** Rules that need the database or the list of common passwords. */
export const registerRules = async (parts: Parts, given: ValidFields<Submission>): Promise<RuleViolation[]> => [
  ...(await takenAddresses(parts, given)),
  ...(await commonPassword(given)),
  ...(await unknownPlan(parts.database.manager, given.plan)),
  ...(await unknownDomains(parts.database.manager, given.domains)),
];

export const verifyBody = z.object({
  email: email(),
  phone_number: text(50).meta({ example: '+22890112233' }),
  code: text(50).min(6).meta({ example: '493021' }),
  device_name: deviceNameField(),
});
