import { z } from 'zod';
import type { Tx } from '@tutoring/shared/database/open';
import { emailKey } from '@tutoring/shared/email';
import { email, flag, id, integer, text } from '@tutoring/shared/http/fields';
import { sentences, type Broken, type Sound } from '@tutoring/shared/http/validation';
import { existingSkills, planExists } from '../catalogue/catalogue-store.ts';
import { commonPassword } from '../login/common-password.ts';
import { texts } from '../texts.ts';
import { phoneKey } from '../users/phone.ts';
import { METHODS, PLATFORMS } from '../users/user.ts';
import { emailTaken, loginPhoneTaken } from '../users/user-store.ts';

export const MAX_DOMAINS = 50;
export const password = () => z.string().min(8).max(255);

/** The optional fields that registration and the profile share. */
export const profileFields = {
  photo: text(2_048).optional(),
  address: text(500).optional(),
  city: text().optional(),
  country: text().optional(),
  about_me: text(5_000).optional(),
};
export const teachingFields = {
  experience: integer({ min: 0, max: 1_000 }).optional(),
  availability: text(1_000).optional(),
  bio: text(5_000).optional(),
};
export const studyFields = { level_study: text().optional(), subjects_interest: text(1_000).optional() };

const fields = z.object({
  name: text(),
  email: email(),
  phone_number: text(50),
  password: password().optional(),
  platform: z.enum(PLATFORMS),
  ...profileFields,
  gauth_type: z.enum(METHODS),
  gauth_token: text(8_192).optional(),
  nonce: text(1_024).optional(),
  plan: id().optional(),
  domains: z.array(id()).min(1).max(MAX_DOMAINS),
  ...teachingFields,
  /** Accepted and not honoured: only an administrator verifies a teacher. */
  verified: flag().optional(),
  ...studyFields,
});

export type Submission = z.output<typeof fields>;

/** What the fields require of each other. */
export function conditionalRules(input: Partial<Record<keyof Submission, unknown>>): Broken[] {
  const broken: Broken[] = [];
  const method = input.gauth_type;
  if (method === 'email' && input.password === undefined)
    broken.push([['password'], sentences.requiredWhen('gauth_type', 'email')]);
  if (typeof method === 'string' && isSocial(method) && input.gauth_token === undefined)
    broken.push([['gauth_token'], sentences.requiredWhen('gauth_type', method)]);
  if (input.platform === 'teacher' && input.plan === undefined)
    broken.push([['plan'], sentences.requiredWhen('platform', 'teacher')]);
  return broken;
}

export const isSocial = (method: string) => method === 'google' || method === 'apple' || method === 'facebook';

/** Which of the domains are no skills. */
export async function unknownDomains(tx: Tx, domains: (number | undefined)[] = []): Promise<Broken[]> {
  const known =
    domains.length === 0
      ? new Set()
      : await existingSkills(
          tx,
          domains.filter((id) => id !== undefined),
        );
  return domains.flatMap((id, index): Broken[] =>
    id === undefined || known.has(id) ? [] : [[['domains', index], sentences.selected]],
  );
}

export async function unknownPlan(tx: Tx, plan: number | undefined): Promise<Broken[]> {
  return plan === undefined || (await planExists(tx, plan)) ? [] : [[['plan'], sentences.selected]];
}

async function takenAddresses(tx: Tx, input: Sound<Submission>, country: string): Promise<Broken[]> {
  const broken: Broken[] = [];
  const { email: address, phone_number: phone } = input;
  if (address !== undefined && (await emailTaken(tx, emailKey(address)))) broken.push([['email'], sentences.taken]);
  if (input.gauth_type === 'phone_number' && phone !== undefined) {
    const key = phoneKey(phone, country);
    if (key === undefined) broken.push([['phone_number'], texts.phoneInvalid]);
    else if (await loginPhoneTaken(tx, key)) broken.push([['phone_number'], sentences.taken]);
  }
  return broken;
}

/** The body of register; every broken rule is counted. */
export const registerBody = fields.superRefine(
  (input: Record<string, unknown>, context) => {
    for (const [path, message] of conditionalRules(input)) context.addIssue({ code: 'custom', path, message });
  },
  { when: () => true },
);

/** What of it only the database and the list of passwords know. */
export const registerRules =
  (tx: Tx, country: string) =>
  async ({ fields: given }: { fields: Sound<Submission> }): Promise<Broken[]> => [
    ...(await takenAddresses(tx, given, country)),
    ...(await commonPassword(given)),
    ...(await unknownPlan(tx, given.plan)),
    ...(await unknownDomains(tx, given.domains)),
  ];

export const verifyBody = z.object({ email: email(), phone_number: text(50), code: text(50).min(6) });
