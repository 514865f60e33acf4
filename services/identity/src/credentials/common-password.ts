import { assertThat } from '@tutoring/shared/kit/errors';
import { emailKey } from '@tutoring/shared/kit/http/declare/email';
import { invalidField, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { texts } from '../texts.ts';

const SHORTEST_NAME = 4;

const caseFolded = (text: string) => text.normalize('NFKC').toLowerCase();

function nameOf(email: string): string {
  const key = emailKey(email);
  return key.slice(0, Math.max(key.lastIndexOf('@'), 0));
}

/** Whether the password is on the list of common passwords, which is loaded at its first use. */
async function isOnCommonList(password: string): Promise<boolean> {
  const { default: list } = await import('fxa-common-password-list');
  return list.test(password.toLowerCase());
}

type PasswordOwner = Partial<Record<'password' | 'name' | 'email', string | undefined>>;

/** The password must not be common, nor contain the name or the name part of an e-mail (at least four letters). */
export async function commonPassword(
  { password, name, email }: PasswordOwner,
  ...others: string[]
): Promise<RuleViolation[]> {
  if (password === undefined) return [];
  const names = [name ?? '', ...[email ?? '', ...others].map(nameOf)].map(caseFolded);
  const given = caseFolded(password);
  const containsName = names.some((own) => own.length >= SHORTEST_NAME && given.includes(own));
  return containsName || (await isOnCommonList(password)) ? [[['password'], texts.passwordTooCommon]] : [];
}

/** Throws invalid for a common password. Call it only for a proven owner: the result reveals part of the name. */
export async function assertUncommon(password: string, name: string): Promise<void> {
  const violations = await commonPassword({ password, name });
  assertThat(violations.length === 0, () => invalidField('password', texts.passwordTooCommon));
}
