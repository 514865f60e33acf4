import { AppError, assertThat } from '@tutoring/shared/errors';
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
export const issuerUnavailable = (cause: unknown) => new AppError('unavailable', texts.busy, { retryAfter: 5, cause });
export const exportsBusy = () => new AppError('unavailable', texts.busy, { retryAfter: 30 });
export const tooManyAtOnce = () => new AppError('unavailable', texts.busy, { retryAfter: 1 });
/** The cleaning job has removed the upload as an orphan. */
export const photoLost = () => new AppError('unavailable', texts.busy, { retryAfter: 1 });
export const codeRequired = () => new AppError('second_factor', texts.codeRequired);
export const secondFactorWrong = () => new AppError('second_factor', texts.codeInvalid);

/** What was looked for; throws not_found when it is not there. */
export function found<T>(record: T | undefined): T {
  assertThat(record !== undefined, recordNotFound);
  return record;
}
