import { AppError, assertThat } from '@tutoring/shared/kit/errors';
import { violatedConstraint } from '@tutoring/shared/kit/database/refusals';
import { invalidField, sentences, type RuleViolation } from '@tutoring/shared/kit/http/read/validation';
import { texts } from './texts.ts';

export const unauthenticated = () => new AppError('unauthenticated', texts.unauthenticated);
export const notFound = (message: string) => new AppError('not_found', message);
export const recordNotFound = () => notFound(texts.recordNotFound);
export const tooManyAttempts = (retryAfter: number) =>
  new AppError('rate_limited', texts.tooManyAttempts, { retryAfter });
export const conflict = (message: string) => new AppError('conflict', message);
/** `retryAfter`: seconds. */
export const busy = (retryAfter: number, cause?: unknown) =>
  new AppError('unavailable', texts.busy, { retryAfter, cause });
/** An administrator's second factor is missing or wrong. */
export const secondFactor = (message: string) => new AppError('second_factor', message);

/** Returns the record; throws not_found when it is undefined. */
export function found<T>(record: T | undefined): T {
  assertThat(record !== undefined, recordNotFound);
  return record;
}

/** Field of the input by unique constraint. */
const UNIQUE: Record<string, string> = {
  account_email: 'email',
  account_login_phone: 'phone_number',
  admin_email_key_key: 'email',
  skill_name: 'name',
  plan_name: 'name',
};

/** For `catch`: turns a violated unique constraint into a validation error. */
export function refuseTaken(error: unknown): never {
  const field = UNIQUE[violatedConstraint(error) ?? ''];
  throw field === undefined ? error : invalidField(field, sentences.taken);
}

/** The broken ones among the rules, each with its field and sentence. */
export const violations = (...rules: [isBroken: unknown, field: string, sentence: string][]): RuleViolation[] =>
  rules.filter(([isBroken]) => isBroken).map(([, field, sentence]) => [[field], sentence]);
