import { AppError, assertThat } from '@tutoring/shared/errors';
import type { RuleViolation } from '@tutoring/shared/http/read/validation';
import { texts } from './texts.ts';

export const invalidCredentials = () => new AppError('not_found', texts.invalidCredentials);
export const unauthenticated = () => new AppError('unauthenticated', texts.unauthenticated);
export const userNotFound = () => new AppError('not_found', texts.userNotFound);
export const recordNotFound = () => new AppError('not_found', texts.recordNotFound);
export const restartRegistration = () => new AppError('not_found', texts.restart);
export const codeInvalid = () => new AppError('not_found', texts.codeInvalid);
export const resetFailed = () => new AppError('not_found', texts.resetFailed);
export const tooManyAttempts = (retryAfter: number) =>
  new AppError('rate_limited', texts.tooManyAttempts, { retryAfter });
export const conflict = (message: string) => new AppError('conflict', message);
/** To be tried again after so many seconds. */
export const busy = (retryAfter: number, cause?: unknown) =>
  new AppError('unavailable', texts.busy, { retryAfter, cause });
export const codeRequired = () => new AppError('second_factor', texts.codeRequired);
export const secondFactorWrong = () => new AppError('second_factor', texts.codeInvalid);

/** What was looked for; throws not_found when it is not there. */
export function found<T>(record: T | undefined): T {
  assertThat(record !== undefined, recordNotFound);
  return record;
}

/** The rules that are broken, each with its field and sentence. */
export const violations = (...rules: [isBroken: unknown, field: string, sentence: string][]): RuleViolation[] =>
  rules.filter(([isBroken]) => isBroken).map(([, field, sentence]) => [[field], sentence]);
