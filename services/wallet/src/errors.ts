import { AppError } from '@tutoring/shared/errors';
import { invalidField } from '@tutoring/shared/http/validation';
import { texts } from './texts.ts';

/** The refusals of this service, by name. */
export const errors = {
  depositUnknown: () => new AppError('not_found', texts.depositUnknown),
  withdrawalUnknown: () => new AppError('not_found', texts.withdrawalUnknown),
  callUnknown: () => new AppError('not_found', texts.callUnknown),
  chargeUnknown: () => new AppError('not_found', texts.chargeUnknown),
  providerUnknown: () => new AppError('not_found', texts.providerUnknown),
  providerAway: (cause: unknown) => new AppError('unavailable', texts.providerAway, { retryAfter: 1, cause }),
  signatureWrong: () => new AppError('malformed', texts.signatureWrong),
  webhookMalformed: () => new AppError('malformed', texts.webhookMalformed),
  belowMinimum: (minimum: number) => invalidField('amount', texts.amountAtLeast(minimum)),
  aboveMaximum: (maximum: number) => invalidField('amount', texts.amountAtMost(maximum)),
  notEnough: () => new AppError('payment_required', texts.notEnough),
  moneyGone: () => new AppError('conflict', texts.moneyGone),
  nothingToRefund: () => new AppError('conflict', texts.nothingToRefund),
  referenceTaken: () => new AppError('conflict', texts.referenceTaken),
  cannotCancel: (status: string) => new AppError('conflict', texts.cannotCancel(status)),
  leavingSuccess: () => new AppError('forbidden', texts.leavingSuccess),
  searchesBusy: () => new AppError('unavailable', texts.searchesBusy, { retryAfter: 1 }),
  accountClosed: () => new AppError('conflict', texts.accountClosed),
  accountClosing: () => new AppError('unavailable', texts.accountClosed, { retryAfter: 60 }),
  tooManyOpen: (most: number) => new AppError('conflict', texts.tooManyOpen(most)),
  banned: () => new AppError('forbidden', texts.banned),
};
