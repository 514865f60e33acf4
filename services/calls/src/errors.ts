import { AppError } from '@tutoring/shared/kit/errors';
import { texts } from './texts.ts';

export const noRingingCall = () => new AppError('not_found', texts.notRinging);
export const callNotFound = () => new AppError('not_found', texts.unknownCall);
export const noCallToBill = () => new AppError('not_found', texts.cannotBill.unknown);
export const callerBanned = () => new AppError('forbidden', texts.callerBanned);
export const callOver = () => new AppError('conflict', texts.callOver);
export const teacherNotFound = () => new AppError('not_found', texts.unknownTeacher);
export const bookingNotFound = () => new AppError('not_found', texts.booking.unknown);
export const notAsked = () => new AppError('forbidden', texts.booking.notAsked);
export const calendarNotFound = () => new AppError('not_found', texts.calendar.unknown);
export const calendarReadTooOften = (retryAfter: number) =>
  new AppError('rate_limited', texts.calendar.readTooOften, { retryAfter });
export const reviewNotFound = () => new AppError('not_found', texts.review.unknown);
export const serviceNotFound = () => new AppError('not_found', texts.service.unknown);
export const conflict = (message: string) => new AppError('conflict', message);
export const insufficientFunds = (message: string) => new AppError('payment_required', message);
export const tooManyRings = (retryAfter: number) => new AppError('rate_limited', texts.tooManyRings, { retryAfter });
export const unavailable = (message: string, cause?: unknown) =>
  new AppError('unavailable', message, { retryAfter: 1, cause });
